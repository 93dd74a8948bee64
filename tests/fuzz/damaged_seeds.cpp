// Driver for a fuzz target without libFuzzer: over each file of a folder as it is, cut off, and damaged in places that
// are the same in every run. An input that ends the program is kept in the current folder, as libFuzzer keeps it.
// Usage: fuzz_NAME FOLDER [RUNS_PER_FILE]
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
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, keep_input);
  int runs = argc > 2 ? std::atoi(argv[2]) : 150;
  std::vector<std::string> names, texts;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::ifstream stream(name, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
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
