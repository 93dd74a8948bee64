// Reads an XML document piece by piece with expat: with bounds, with errors that say where, and without entities.
#pragma once

#include <expat.h>

#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

/// Of an element, while its start is handled.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** attributes) : attributes_(attributes) {}
  /// Null: it has none of that name.
  const char* find(std::string_view name) const;
  /// Empty for none.
  std::string text(std::string_view name) const;

 private:
  const char** attributes_;
};

/// A whole number and nothing else; none for null.
template <typename T>
std::optional<T> whole_number(const char* text) {
  if (!text) return std::nullopt;
  T value{};
  const char* end = text + std::strlen(text);
  auto [last, error] = std::from_chars(text, end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

class XmlDocument {
 public:
  /// `format` is its name in messages.
  XmlDocument(InputFile& input, const char* format);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  /// Calls handler.start(name, attributes), handler.end(name) and handler.text(text) in the order of the document, none
  /// after stop(). Throws DataError.
  template <typename Handler>
  void read(Handler& handler) {
    struct Target {
      XmlDocument* document;
      Handler* handler;
    } target{this, &handler};
    XML_SetUserData(parser_.get(), &target);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          auto* to = static_cast<Target*>(self);
          if (to->document->enter()) to->handler->start(std::string_view(name), XmlAttributes(attributes));
        },
        [](void* self, const char* name) {
          auto* to = static_cast<Target*>(self);
          if (to->document->leave()) to->handler->end(std::string_view(name));
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      auto* to = static_cast<Target*>(self);
      if (to->document->goes_on()) to->handler->text(std::string_view(text, static_cast<size_t>(size)));
    });
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char*, int, const char*, int, const char*, const char*,
                                               const char*, const char*) {
      static_cast<Target*>(self)->document->stop("it declares an entity, which no report needs");
    });
    parse();
  }

  /// For handlers: the document is wrong, for this reason, where it is being read. expat is C: no exception may pass
  /// through it.
  void stop(std::string reason);
  /// Leaves out what is being read, because it can be of no line.
  void skip(const std::string& reason);
  /// The number of a line; 0 for code of no line, and for numbers that no line can have: these are skipped. None: the
  /// document has been stopped, because it is no number.
  std::optional<int32_t> line_number(const char* text);
  void call(const char* format) { format_ = format; }
  /// Of the element that is being handled.
  int32_t line() const;
  /// Throws DataError about the document as a whole.
  [[noreturn]] void fail(const std::string& reason) const { input_.fail(format_, "", reason); }

 private:
  void parse();
  bool goes_on();
  bool enter();
  bool leave();

  InputFile& input_;
  const char* format_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser_;
  std::string reason_, place_;  // why it stopped
  size_t unfinished_ = 0;
  int depth_ = 0;
};

}  // namespace qd::report
