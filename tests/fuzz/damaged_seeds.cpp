// Driver for a fuzz target without libFuzzer: over each seed as it is, cut off, and damaged in places that are the same
// in every run. An input that ends the program is kept in the current folder, as libFuzzer keeps it.
// Usage: fuzz_NAME RUNS_PER_SEED FOLDER_OR_LIST...
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fs = std::filesystem;

namespace {

const std::string* current = nullptr;

void run(const std::string& text) {
  current = &text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

void keep_input(int signal) {
  constexpr std::string_view kName = "fuzz-crash-input", kNote = "The input is in fuzz-crash-input.\n";
  const int file = open(kName.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file >= 0 && current && write(file, current->data(), current->size()) >= 0 &&
      write(STDERR_FILENO, kNote.data(), kNote.size()) > 0)
    close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string damaged(std::string text, const std::string& other, std::mt19937& random) {
  static const char kText[] = "\n\r\f\0\"'#()[]{}:,\\ \t=$%@\xEF\xBB\xBF\xC3\xFF";
  static const std::string kBytes(kText, sizeof kText - 1);
  auto place = [&](const std::string& in) { return in.empty() ? 0 : random() % in.size(); };
  for (unsigned n = 1 + random() % 4; n != 0; --n) {
    size_t at = place(text), length = std::min<size_t>(random() % 24, text.size() - at);
    switch (random() % 5) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(place(text), 1 + random() % 40)); break;
      case 2: text.insert(at, other.substr(place(other), 1 + random() % 40)); break;
      case 3: text.insert(at, 1, kBytes[random() % kBytes.size()]); break;
      default:
        if (!text.empty()) text[at] = kBytes[random() % kBytes.size()];
    }
  }
  return text;
}

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Adds the files of a folder, without the expected output below "# ---" in golden files of kernels; or the parts of a
/// list, each below a line "### name".
void add_seeds(const fs::path& path, std::vector<std::string>& seeds) {
  if (fs::is_directory(path)) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const std::string text = contents(file);
      seeds.push_back(text.substr(0, text.find("\n# ---\n")));
    }
    return;
  }
  std::istringstream list(contents(path));
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("### "))
      seeds.emplace_back();
    else
      seeds.back() += line + "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, keep_input);
  const int runs = std::atoi(argv[1]);
  std::vector<std::string> texts;
  for (int i = 2; i < argc; ++i) add_seeds(argv[i], texts);
  size_t n = 0;
  std::mt19937 random(1);  // the same numbers everywhere
  for (const std::string& text : texts) {
    run(text);
    for (int i = 0; i < runs; ++i, ++n) run(damaged(text, texts[random() % texts.size()], random));
    for (size_t end = 0; end < text.size(); end += 1 + text.size() / 40, ++n) run(text.substr(0, end));
  }
  std::printf("%zu seeds, %zu damaged ones\n", texts.size(), n);
  return texts.empty() ? 1 : 0;
}
