// Golden tests of the kernel IR: a file holds the commands, the input and the expected output.
//
//   # command: forward_stores split_tasks
//   <a kernel>
//   ---
//   <the kernel after the commands, or the error>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/ir/kernel.h"
#include "runtime/passes/passes.h"
#include "runtime/passes/pipeline.h"

namespace fs = std::filesystem;
using qd::ir::Kernel;

namespace {

void verify(Kernel& kernel) {
  std::vector<std::string> errors = qd::ir::verify(kernel);
  if (!errors.empty()) throw std::runtime_error(fmt::format("{}", fmt::join(errors, "\n")));
}

struct Command {
  std::string_view name;
  void (*run)(Kernel&);
};

constexpr Command kCommands[] = {
    {"parse", [](Kernel&) {}},
    {"verify", verify},
    {"split_local_arrays", qd::passes::split_local_arrays},
    {"forward_stores", qd::passes::forward_stores},
    {"split_tasks", qd::passes::split_tasks},
    {"demote_atomics", qd::passes::demote_atomics},
    {"privatize_reductions", qd::passes::privatize_reductions},
    {"pipeline", [](Kernel& kernel) { qd::passes::run(kernel); }},
};

constexpr std::string_view kCommandLine = "# command:";
constexpr std::string_view kSeparator = "\n---\n";

struct Golden {
  std::vector<std::string> commands;
  std::string input;     // with the command line
  std::string expected;
};

Golden read(const fs::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!text.starts_with(kCommandLine)) throw std::runtime_error(fmt::format("{}: the first line must be '{} ...'", path.string(), kCommandLine));
  Golden golden;
  std::istringstream line(text.substr(kCommandLine.size(), text.find('\n') - kCommandLine.size()));
  for (std::string word; line >> word;) golden.commands.push_back(word);
  const size_t separator = text.find(kSeparator);
  golden.input = text.substr(0, separator == std::string::npos ? separator : separator + 1);
  if (separator != std::string::npos) golden.expected = text.substr(separator + kSeparator.size());
  return golden;
}

std::string run(const Golden& golden) {
  try {
    Kernel kernel = qd::ir::parse(golden.input);
    for (const std::string& name : golden.commands) {
      if (name == "emit_llvm") return qd::codegen::llvm_ir(kernel, {});
      auto command = std::ranges::find(kCommands, std::string_view(name), &Command::name);
      if (command == std::end(kCommands)) throw std::runtime_error(fmt::format("unknown command {}", name));
      command->run(kernel);
      if (name != "parse") verify(kernel);
    }
    return qd::ir::print(kernel);
  } catch (const std::exception& error) {
    return fmt::format("error: {}\n", error.what());
  }
}

/// The golden files under a path, in order.
std::vector<fs::path> files(const std::vector<std::string>& paths) {
  std::vector<fs::path> out;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      out.emplace_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".ir") out.push_back(entry.path());
    }
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  bool update = false;
  fs::path failed_folder;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; i++) {
    const std::string_view argument = argv[i];
    if (argument == "--update") {
      update = true;
    } else if (argument == "--failed" && i + 1 < argc) {
      failed_folder = argv[++i];
    } else {
      paths.emplace_back(argument);
    }
  }
  if (paths.empty()) {
    fmt::print(stderr, "usage: qd-ir [--update] [--failed FOLDER] FILE_OR_FOLDER...\n");
    return 2;
  }
  int failures = 0;
  size_t count = 0;
  try {
    for (const fs::path& path : files(paths)) {
      count++;
      const Golden golden = read(path);
      const std::string actual = run(golden);
      if (actual == golden.expected) continue;
      if (update) {
        std::ofstream(path) << golden.input << kSeparator.substr(1) << actual;
        fmt::print("updated {}\n", path.string());
        continue;
      }
      failures++;
      fmt::print("FAILED {}\n--- expected\n{}--- actual\n{}", path.string(), golden.expected, actual);
      if (!failed_folder.empty()) {
        fs::create_directories(failed_folder);
        std::ofstream(failed_folder / path.filename()) << golden.input << kSeparator.substr(1) << actual;
      }
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "qd-ir: {}\n", error.what());
    return 1;
  }
  fmt::print("{} golden files, {} failed\n", count, failures);
  return failures != 0 || count == 0;
}
