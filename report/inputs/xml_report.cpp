// XML format detection. JaCoCo's root is <report>. Clover's is <coverage> with an attribute "clover", or with a
// <project> as its first element. Else it is Cobertura's.
#include "report/inputs/readers.h"

#include <fmt/core.h>

#include <variant>

#include "report/inputs/clover.h"
#include "report/inputs/cobertura.h"
#include "report/inputs/jacoco.h"

namespace qd::report {
namespace {

class XmlReport {
 public:
  XmlReport(XmlDocument& xml, FileNames& names) : xml_(xml), names_(names) {}

  void start(std::string_view name, const XmlAttributes& attributes) {
    if (depth_++ == 0) return root(name, attributes);
    if (depth_ == 2 && std::holds_alternative<std::monostate>(reader_)) {
      if (name == "project" || name == "testproject")
        use<CloverReader>(xml_, names_);
      else
        use<CoberturaReader>(xml_, names_);
    }
    each([&](auto& reader) { reader.start(name, attributes); });
  }
  void end(std::string_view name) {
    if (--depth_ > 0) each([&](auto& reader) { reader.end(name); });
  }
  void text(std::string_view text) {
    each([&](auto& reader) { reader.text(text); });
  }
  void finish() {
    if (std::holds_alternative<std::monostate>(reader_)) use<CoberturaReader>(xml_, names_);
    each([](auto& reader) { reader.finish(); });
  }

 private:
  void root(std::string_view name, const XmlAttributes& attributes) {
    if (name == "report") {
      use<JacocoReader>(xml_, names_);
      std::get<JacocoReader>(reader_).start(name, attributes);
    } else if (name != "coverage") {
      xml_.stop(fmt::format("its root is <{}>, not <coverage> (Cobertura, Clover) or <report> (JaCoCo)", name));
    } else if (attributes.find("clover")) {
      use<CloverReader>(xml_, names_);
    }
  }
  template <typename Reader, typename... Arguments>
  void use(Arguments&... arguments) {
    reader_.emplace<Reader>(arguments...);
    xml_.call(Reader::kFormat);
  }
  template <typename Use>
  void each(Use use) {
    std::visit(
        [&](auto& reader) {
          if constexpr (!std::is_same_v<decltype(reader), std::monostate&>) use(reader);
        },
        reader_);
  }

  XmlDocument& xml_;
  FileNames& names_;
  int depth_ = 0;
  std::variant<std::monostate, CoberturaReader, CloverReader, JacocoReader> reader_;
};

}  // namespace

void read_xml_report(InputFile& input, FileNames& names) {
  XmlDocument xml(input, "XML");
  XmlReport report(xml, names);
  xml.read(report);
  report.finish();
}

}  // namespace qd::report
