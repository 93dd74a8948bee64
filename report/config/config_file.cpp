// Configuration file: looks up sections and options.
#include "report/config/config_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "report/regex/python_text.h"

namespace qd::report {

namespace {

template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

}  // namespace

std::string ConfigValue::repr() const {
  return std::visit(overloaded{[](const std::string& text) { return python_repr(text); },
                               [](bool flag) { return std::string(flag ? "True" : "False"); },
                               [](int64_t number) { return std::to_string(number); },
                               [](double number) {
                                 std::string text = fmt::format("{}", number);
                                 return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
                               },
                               [](const std::vector<ConfigValue>& list) {
                                 std::string text;
                                 for (const ConfigValue& item : list) text += (text.empty() ? "" : ", ") + item.repr();
                                 return "[" + text + "]";
                               },
                               [](const Table& table) {
                                 std::string text;
                                 for (const auto& [key, item] : table)
                                   text +=
                                       fmt::format("{}{}: {}", text.empty() ? "" : ", ", python_repr(key), item.repr());
                                 return "{" + text + "}";
                               },
                               [](const Other& other) { return other.repr; }},
                    value);
}

const ConfigValue* ConfigSection::find(const std::string& option) const {
  auto found = std::find_if(options.begin(), options.end(), [&](const auto& entry) { return entry.key == option; });
  return found == options.end() ? nullptr : &found->value;
}

const ConfigSection* ConfigFile::find(const std::string& name) const {
  for (const std::string& prefix : prefixes)
    for (const ConfigSection& section : sections)
      if (section.name == prefix + name) return &section;
  return nullptr;
}

std::optional<std::string> read_text(const std::string& path) {
  // O_NONBLOCK: a pipe may be read, but opening it must not wait for a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  std::string bytes;
  char piece[1 << 14];
  ssize_t n;
  while ((n = read(file, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) bytes.append(piece, static_cast<size_t>(n));
  close(file);
  if (n < 0) return std::nullopt;  // a folder
  return config_text(std::move(bytes));
}

std::string config_text(std::string bytes) {
  // Python's codec "utf-8-sig": a byte order mark is skipped, and so is a part of one that is the whole text.
  if (bytes.starts_with(kByteOrderMark) || kByteOrderMark.starts_with(bytes)) bytes.erase(0, kByteOrderMark.size());
  if (std::optional<std::string> error = utf8_error(bytes)) throw InvalidFile(*error);
  std::string text;
  text.reserve(bytes.size());
  for (char c : bytes) {
    if (c == '\n' && text.ends_with('\r'))
      text.back() = '\n';
    else
      text += c;
  }
  std::replace(text.begin(), text.end(), '\r', '\n');
  return text;
}

std::optional<ConfigFile> read_config_file(const std::string& path, bool our_file, const ReadText& read) {
  const bool is_toml = std::filesystem::path(path).extension() == ".toml";
  return is_toml ? read_toml(path, our_file, read) : read_ini(path, our_file, read);
}

}  // namespace qd::report
