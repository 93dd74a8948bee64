// XML document, read piece by piece with expat: with limits, with errors that name the line, and without entities.
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

/// Attributes of an element, valid while its start is handled.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** attributes) : attributes_(attributes) {}
  /// Value of an attribute; null when there is none of that name.
  const char* find(std::string_view name) const;
  /// The same as a text; empty when there is none.
  std::string text(std::string_view name) const;

 private:
  const char** attributes_;
};

/// Parses a whole number and nothing else; none for null.
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
  /// `format` is the format's name in messages.
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

  /// Stops with an error, for handlers: the document is wrong at this place, for this reason. expat is C: no exception
  /// may pass through it.
  void stop(std::string reason);
  /// Skips the present record, because it is of no line.
  void skip(const std::string& reason);
  /// Parses a line number; 0 for code of no line, and for impossible numbers: these are skipped. None: it is no number,
  /// and the document has been stopped.
  std::optional<int32_t> line_number(const char* text);
  void call(const char* format) { format_ = format; }
  /// Line of the element that is being handled.
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
  std::string reason_, place_;  // of the error that stopped it
  size_t unfinished_ = 0;
  int depth_ = 0;
};

}  // namespace qd::report
