// Kept posts. Each is a file of JSON, in one of two forms:
//
//   {"format": 1, "kind": "comment", "repository": "o/r", "pull_request": 7, "head_sha": "...", "name": "diff",
//    "body": "..."}
//   {"format": 1, "kind": "check-run", "repository": "o/r", "head_sha": "...", "payload": {...}}
#include "report/services/kept_posts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "report/formats/common/text.h"
#include "report/services/github.h"
#include "report/services/markdown_text.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFiles = 20;
constexpr size_t kMaxBytes = size_t{4} << 20;
constexpr size_t kMaxBody = kMaxCommentLength;
constexpr size_t kMaxAnnotations = 1'000;

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw std::runtime_error(fmt::format("{}: {}", visible(valid_utf8(where)), why));
}

const ServiceJson& member(const ServiceJson& json, const char* key, ServiceJson::value_t type,
                          const std::string& where) {
  auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end()) refuse(where, fmt::format("no '{}'", key));
  bool same = found->type() == type || (type == ServiceJson::value_t::number_unsigned && found->is_number_unsigned());
  if (!same) refuse(where, fmt::format("'{}' is a {}", key, found->type_name()));
  return *found;
}

std::string text(const ServiceJson& json, const char* key, size_t most, const std::string& where) {
  std::string value = member(json, key, ServiceJson::value_t::string, where).get<std::string>();
  if (utf16_length(value) > most) refuse(where, fmt::format("'{}' is longer than {} characters", key, most));
  if (value.find('\0') != std::string::npos) refuse(where, fmt::format("'{}' has a null character", key));
  return value;
}

int64_t number(const ServiceJson& json, const char* key, const std::string& where) {
  uint64_t value = member(json, key, ServiceJson::value_t::number_unsigned, where).get<uint64_t>();
  if (value == 0 || value > 2'000'000'000) refuse(where, fmt::format("'{}' is {}", key, value));
  return static_cast<int64_t>(value);
}

std::string one_of(const ServiceJson& json, const char* key, std::initializer_list<const char*> values,
                   const std::string& where) {
  std::string value = text(json, key, 100, where);
  if (std::none_of(values.begin(), values.end(), [&](const char* one) { return value == one; }))
    refuse(where, fmt::format("'{}' is '{}'", key, visible(value)));
  return value;
}

std::string commit(const ServiceJson& json, const std::string& where) {
  std::string sha = text(json, "head_sha", 64, where);
  if (!is_commit(sha)) refuse(where, fmt::format("'head_sha' is no commit: '{}'", visible(sha)));
  return sha;
}

/// Reads a regular file, not through a link. (Reading a pipe could block for ever.)
std::string read_file(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) refuse(path, errno == ELOOP ? "a link, which is not followed" : std::strerror(errno));
  struct stat status = {};
  std::string content;
  bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  bool small = static_cast<size_t>(status.st_size) <= kMaxBytes;
  ssize_t n = 1;
  if (regular && small) {
    content.resize(static_cast<size_t>(status.st_size));
    size_t done = 0;
    while (done < content.size() && (n = read(fd, content.data() + done, content.size() - done)) > 0)
      done += static_cast<size_t>(n);
    content.resize(done);
  }
  close(fd);
  if (!regular) refuse(path, "no regular file");
  if (!small) refuse(path, fmt::format("larger than {} MiB", kMaxBytes >> 20));
  if (n < 0) refuse(path, "can't be read");
  return content;
}

KeptPost parse_post(const std::string& path) {
  ServiceJson json = ServiceJson::parse(read_file(path), nullptr, false);
  if (!json.is_object()) refuse(path, "no JSON object");
  if (number(json, "format", path) != 1) refuse(path, "written by another version of qd-cov");
  KeptPost post;
  post.file = path;
  post.kind =
      one_of(json, "kind", {"comment", "check-run"}, path) == "comment" ? KeptPost::Comment : KeptPost::CheckRun;
  post.repository = text(json, "repository", 200, path);
  post.head_sha = commit(json, path);
  if (post.kind == KeptPost::Comment) {
    post.pull_request = number(json, "pull_request", path);
    post.name = text(json, "name", 64, path);
    if (!is_comment_name(post.name)) refuse(path, "'name' has characters that are not allowed");
    // Taming adds characters, which may make the text too long for one comment.
    post.body = tame_markdown(text(json, "body", kMaxBody, path));
    if (utf16_length(post.body) > kMaxBody - 100)
      post.body = cut_markdown(post.body, kMaxBody - 100, "_The rest is left out: the comment would be too long._");
  } else {
    post.payload = checked_payload(member(json, "payload", ServiceJson::value_t::object, path), path, true);
  }
  return post;
}

}  // namespace

ServiceJson checked_payload(const ServiceJson& json, const std::string& where, bool tame) {
  auto safe = [&](const std::string& value) { return tame ? tame_markdown(value) : value; };
  const ServiceJson& output = member(json, "output", ServiceJson::value_t::object, where);
  ServiceJson annotations = ServiceJson::array();
  auto add = [&](const ServiceJson& list) {
    if (annotations.size() + list.size() > kMaxAnnotations)
      refuse(where, fmt::format("more than {} annotations", kMaxAnnotations));
    for (const ServiceJson& one : list) {
      int64_t first = number(one, "start_line", where), last = number(one, "end_line", where);
      if (last < first) refuse(where, "an annotation ends before it begins");
      annotations.push_back(
          {{"path", text(one, "path", 4096, where)},
           {"start_line", first},
           {"end_line", last},
           {"annotation_level", one_of(one, "annotation_level", {"notice", "warning", "failure"}, where)},
           {"title", safe(text(one, "title", 255, where))},
           {"message", safe(text(one, "message", 16'000, where))}});
    }
  };
  if (output.contains("annotations")) add(member(output, "annotations", ServiceJson::value_t::array, where));
  if (json.contains("more_annotations")) add(member(json, "more_annotations", ServiceJson::value_t::array, where));
  return {{"name", text(json, "name", 100, where)},
          {"head_sha", commit(json, where)},
          {"status", "completed"},
          {"conclusion", one_of(json, "conclusion", {"success", "failure", "neutral"}, where)},
          {"output",
           {{"title", safe(text(output, "title", 200, where))},
            {"summary", safe(text(output, "summary", 65'535, where))},
            {"annotations", annotations}}}};
}

std::string keep_post(const std::string& folder, const KeptPost& post) {
  bool comment = post.kind == KeptPost::Comment;
  ServiceJson json = {{"format", 1},
                      {"kind", comment ? "comment" : "check-run"},
                      {"repository", post.repository},
                      {"head_sha", post.head_sha}};
  std::string file = comment ? "comment " + post.name : "check-run " + post.payload["name"].get<std::string>();
  std::replace_if(
      file.begin(), file.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '.'; }, '_');
  if (comment) {
    json["pull_request"] = post.pull_request;
    json["name"] = post.name;
    json["body"] = post.body;
  } else {
    json["payload"] = post.payload;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  std::string path = folder + "/" + file + ".json";
  std::ofstream out(path, std::ios::binary);
  out << json.dump(1, ' ', false, ServiceJson::error_handler_t::replace) << "\n";
  out.close();
  if (!out) throw std::runtime_error(fmt::format("Couldn't write '{}'", visible(path)));
  return path;
}

std::vector<KeptPost> read_kept_posts(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    paths.push_back(it->path().string());
    if (paths.size() > kMaxFiles) refuse(folder, fmt::format("more than {} files", kMaxFiles));
  }
  if (error) refuse(folder, error.message());
  std::sort(paths.begin(), paths.end());
  std::vector<KeptPost> posts;
  for (const std::string& path : paths) posts.push_back(parse_post(path));
  return posts;
}

}  // namespace qd::report
