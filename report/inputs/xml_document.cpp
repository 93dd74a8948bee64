// XML reading, as far as it is independent of the format.
#include "report/inputs/xml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace qd::report {
namespace {

constexpr int kMaxDepth = 200;
constexpr size_t kMaxToken = 16u << 20;  // bytes before the end of an element or text: expat keeps them all

}  // namespace

const char* XmlAttributes::find(std::string_view name) const {
  for (const char** attribute = attributes_; *attribute; attribute += 2)
    if (name == *attribute) return attribute[1];
  return nullptr;
}

std::string XmlAttributes::text(std::string_view name) const {
  const char* found = find(name);
  return found ? found : "";
}

XmlDocument::XmlDocument(InputFile& input, const char* format)
    : input_(input), format_(format), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {}

void XmlDocument::parse() {
  for (;;) {
    std::string_view piece = input_.next();
    unfinished_ += piece.size();
    bool ok = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), piece.empty()) == XML_STATUS_OK;
    if (!reason_.empty()) input_.fail(format_, place_, reason_);
    if (!ok) input_.fail(format_, fmt::format("line {}", line()), XML_ErrorString(XML_GetErrorCode(parser_.get())));
    if (unfinished_ > kMaxToken) input_.fail(format_, fmt::format("line {}", line()), "a tag or comment is too long");
    if (piece.empty()) return;
  }
}

void XmlDocument::stop(std::string reason) {
  if (!reason_.empty()) return;
  place_ = fmt::format("line {}", line());
  reason_ = std::move(reason);
  XML_StopParser(parser_.get(), XML_FALSE);
}

void XmlDocument::skip(const std::string& reason) { input_.skip(fmt::format("line {}", line()), reason); }

std::optional<int32_t> XmlDocument::line_number(const char* text) {
  const std::optional<int32_t> number = report::line_number(text ? text : "");
  if (!number)
    stop(fmt::format("'{}' is no line number", text ? text : ""));
  else if (*number == kNoLine)
    skip(fmt::format("'{}' can be no line", text));
  return number ? std::optional(std::max(*number, 0)) : std::nullopt;
}

int32_t XmlDocument::line() const {
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
  const uint64_t line = XML_GetCurrentLineNumber(parser_.get());
#else
  const uint64_t line = XML_GetCurrentLineNumber64(parser_.get());
#endif
  return static_cast<int32_t>(std::min<uint64_t>(line, INT32_MAX));
}

bool XmlDocument::goes_on() {
  unfinished_ = 0;
  return reason_.empty();
}

bool XmlDocument::enter() {
  if (goes_on() && ++depth_ > kMaxDepth) stop("its elements are nested too deep");
  return reason_.empty();
}

bool XmlDocument::leave() {
  --depth_;
  return goes_on();
}

}  // namespace qd::report
