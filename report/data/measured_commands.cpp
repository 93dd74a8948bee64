// Measured commands: writes them as reports show them, and into a data file of another program.
#include "report/data/measured_commands.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "report/data/ascii.h"
#include "report/data/data_file_check.h"
#include "report/data/data_lock.h"
#include "report/data/data_rows.h"
#include "report/data/sqlite.h"

namespace qd::report {

namespace {

bool is_plain(char c) { return is_in_name(c) || std::string_view("-./=:,@%+").find(c) != std::string_view::npos; }

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string result = "'";
  for (char c : word) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

/// Whether a word is an option named for a secret: "--token", "--db-password=x".
bool names_secret(std::string word) {
  if (!word.starts_with('-')) return false;
  word.erase(std::min(word.find('='), word.size()));
  word = lower_case(word);
  for (const char* name : {"token", "password", "passwd", "secret", "api-key", "apikey", "api_key", "credential"})
    if (word.find(name) != std::string::npos) return true;
  return false;
}

}  // namespace

std::string shown_command(const std::vector<std::string>& words, bool as_module) {
  std::string result = as_module ? "-m" : "";
  bool secret = false;  // the word before was such an option
  for (const std::string& word : words) {
    result += result.empty() ? "" : " ";
    const size_t equals = word.find('=');
    if (secret && !word.starts_with('-'))
      result += "…";
    else if (names_secret(word) && equals != std::string::npos)
      result += quoted(word.substr(0, equals)) + "=…";
    else
      result += quoted(word);
    secret = names_secret(word) && equals == std::string::npos;
  }
  return result;
}

std::string joined_lines(const std::set<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

std::set<std::string> lines_of(std::string_view text) {
  std::set<std::string> result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) result.emplace(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

void add_command(const std::string& data_file, const std::string& command) {
  const DataLock turn(data_file, {});
  if (!std::filesystem::exists(data_file)) return;
  check_replaceable(data_file);
  Database database = Database::create(data_file, data_file);
  sqlite3_busy_timeout(database.handle(), 10'000);
  database.execute("BEGIN IMMEDIATE");
  std::set<std::string> commands;
  {
    Statement present(database, "SELECT value FROM meta WHERE key = ?");
    present.bind(1, std::string_view(kCommandsKey));
    if (present.step()) commands = lines_of(present.text(0));
  }
  commands.insert(command);
  const std::string text = joined_lines(commands);
  Statement(database, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
      .bind(1, std::string_view(kCommandsKey))
      .bind(2, text)
      .run();
  database.execute("COMMIT");
}

}  // namespace qd::report
