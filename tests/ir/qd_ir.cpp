// Golden tests of the kernel IR: a file holds the commands, the input and the expected output.
//
//   # command: forward_stores split_tasks
//   <a kernel>
//   ---
//   <the kernel after the commands, or the error>
//
// A file may have several outputs, each with more commands: `--- emit_llvm`. An output with lines "..." is a pattern:
// such a line stands for any lines, and "..." in a line for any characters; blanks count as one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "instrument/lower_probes.h"
#include "runtime/autodiff/common_values.h"
#include "runtime/autodiff/forward.h"
#include "runtime/autodiff/reverse.h"
#include "runtime/codegen/cpu/compile.h"
#ifdef QD_CUDA
#include "runtime/codegen/nvptx/nvptx_target.h"
#endif
#ifdef QD_VULKAN
#include "runtime/codegen/spirv/container.h"
#include "runtime/codegen/spirv/spirv_target.h"
#include "runtime/codegen/spirv/tools.h"
#endif
#include "runtime/ir/kernel.h"
#include "runtime/passes/messages.h"
#include "runtime/passes/passes.h"
#include "runtime/passes/pipeline.h"
#include "runtime/passes/thread_rounds.h"

namespace fs = std::filesystem;
using qd::ir::Kernel;

namespace {

void verify(Kernel& kernel) {
  std::vector<std::string> errors = qd::ir::verify(kernel);
  if (!errors.empty()) throw std::runtime_error(fmt::format("{}", fmt::join(errors, "\n")));
}

void add_rounds(Kernel& kernel, qd::passes::UnknownRange unknown) {
  const std::vector<qd::passes::ThreadCode> code = qd::passes::thread_rounds(kernel, unknown);
  for (size_t i = 0; i < code.size(); ++i) kernel.tasks[i].body = code[i].block;
}

struct Command {
  std::string_view name;
  void (*run)(Kernel&);
};

constexpr Command kCommands[] = {
    {"parse", [](Kernel&) {}},
    {"verify", verify},
    {"add_duals", [](Kernel& kernel) { qd::autodiff::add_duals(kernel); }},
    {"add_duals_with_probes", [](Kernel& kernel) { qd::autodiff::add_duals(kernel, true); }},
    {"reverse", [](Kernel& kernel) { qd::autodiff::reverse(kernel); }},
    {"reverse_recorded", [](Kernel& kernel) { qd::autodiff::reverse(kernel, {}, true); }},
    {"record_elements", [](Kernel& kernel) { qd::autodiff::record_elements(kernel, {}); }},
    {"reverse_with_probes", [](Kernel& kernel) { qd::autodiff::reverse(kernel, {.probes = true}); }},
    {"share_common_values", qd::autodiff::share_common_values},
    {"constant_arrays", qd::passes::constant_arrays},
    {"split_local_arrays", qd::passes::split_local_arrays},
    {"forward_stores", qd::passes::forward_stores},
    {"split_tasks", [](Kernel& kernel) { qd::passes::split_tasks(kernel); }},
    {"split_tasks_without_chunks", [](Kernel& kernel) { qd::passes::split_tasks(kernel, {.chunks = false}); }},
    {"cut_blocks", [](Kernel& kernel) { qd::passes::cut_blocks(kernel, 4); }},  // subgroups of 4 threads
    {"demote_atomics", qd::passes::demote_atomics},
    {"privatize_reductions", [](Kernel& kernel) { qd::passes::privatize_reductions(kernel); }},
    {"privatize_all_reductions",
     [](Kernel& kernel) { qd::passes::privatize_reductions(kernel, qd::passes::Gathering::All); }},
    {"messages", [](Kernel& kernel) { qd::passes::messages(kernel); }},
    {"thread_rounds", [](Kernel& kernel) { add_rounds(kernel, qd::passes::UnknownRange::Interleaved); }},
    {"thread_rounds_in_pieces", [](Kernel& kernel) { add_rounds(kernel, qd::passes::UnknownRange::InPieces); }},
    {"pipeline_of_spirv",
     [](Kernel& kernel) {
       constexpr qd::passes::Plan kPlan{.chunks = false, .costs = false, .counts = qd::passes::LaunchCounts::Device};
       qd::passes::run(kernel, {.plan = kPlan, .verify_each = true});
     }},
    {"pipeline_of_gpu",
     [](Kernel& kernel) { qd::passes::run(kernel, {.plan = qd::passes::kGpuPlan, .verify_each = true}); }},
    {"pipeline", [](Kernel& kernel) { qd::passes::run(kernel, {.verify_each = true}); }},
};

constexpr std::string_view kCommandLine = "# command:";
constexpr std::string_view kSeparator = "---", kAnyLines = "...";

struct Output {
  std::string header;  // the separator with the commands of this output
  std::vector<std::string> commands;
  std::string expected;
};

struct Golden {
  std::string input;  // with the command line
  std::vector<Output> outputs;
};

void add_words(const std::string& text, std::vector<std::string>& words) {
  std::istringstream line(text);
  for (std::string word; line >> word;) words.push_back(word);
}

Golden read(const fs::path& path) {
  std::ifstream file(path);
  Golden golden;
  std::vector<std::string> commands;
  for (std::string line; std::getline(file, line);) {
    if (golden.input.empty()) {
      if (!line.starts_with(kCommandLine))
        throw std::runtime_error(fmt::format("{}: the first line must be '{} ...'", path.string(), kCommandLine));
      add_words(line.substr(kCommandLine.size()), commands);
    }
    if (line.starts_with(kSeparator)) {
      golden.outputs.push_back({line, commands, ""});
      add_words(line.substr(kSeparator.size()), golden.outputs.back().commands);
    } else {
      (golden.outputs.empty() ? golden.input : golden.outputs.back().expected) += line + "\n";
    }
  }
  if (golden.outputs.empty()) golden.outputs.push_back({"---", commands, ""});
  return golden;
}

void write(const fs::path& path, const Golden& golden) {
  std::ofstream file(path);
  file << golden.input;
  for (const Output& output : golden.outputs) file << output.header << "\n" << output.expected;
}

std::vector<std::string> lines_with_single_blanks(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string> words;
    add_words(line, words);
    lines.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  return lines;
}

bool line_matches(std::string_view pattern, std::string_view line) {
  const size_t any = pattern.find(kAnyLines);
  if (any == std::string_view::npos) return pattern == line;
  if (!line.starts_with(pattern.substr(0, any))) return false;
  pattern.remove_prefix(any + kAnyLines.size());
  line.remove_prefix(any);
  for (size_t skipped = 0; skipped <= line.size(); ++skipped) {
    if (line_matches(pattern, line.substr(skipped))) return true;
  }
  return false;
}

/// Whether the lines between two "..." of a pattern stand somewhere in a text, in this order. An error is no text.
bool matches(const std::string& expected, const std::string& actual) {
  const std::vector<std::string> pattern = lines_with_single_blanks(expected);
  const std::vector<std::string> text = lines_with_single_blanks(actual);
  if (std::ranges::count(pattern, kAnyLines) == 0 || actual.starts_with("error:")) return expected == actual;
  auto at = text.begin();
  for (auto block = pattern.begin(); block != pattern.end();) {
    const bool anywhere = *block == kAnyLines;
    if (anywhere) ++block;
    const auto end = std::find(block, pattern.end(), kAnyLines);
    if (anywhere && block == pattern.end()) return true;
    const auto found = std::search(at, text.end(), block, end, [](const std::string& line, const std::string& wanted) {
      return line_matches(wanted, line);
    });
    if (found == text.end() || (!anywhere && found != at)) return false;
    at = found + (end - block);
    block = end;
  }
  return at == text.end();
}

/// The meaning of the counters: a line for each arc, as "# -1 -> 3: c0 - c1".
std::string map_text(const qd::instrument::CoverageMap& map) {
  std::string text;
  for (const qd::instrument::MappedArc& arc : map.arcs) {
    text += fmt::format("# {} -> {}:", arc.from, arc.to);
    for (const auto& term : arc.count.terms())
      text += fmt::format(" {} {}c{}", term.factor < 0 ? '-' : '+',
                          std::abs(term.factor) == 1 ? "" : fmt::format("{} ", std::abs(term.factor)), term.counter);
    text += "\n";
  }
  return text;
}

/// The modules of a kernel that is cut into tasks; or what the validator says. "emit_spirv": no fast-math,
/// "emit_spirv_fast": with it; "emit_spirv_bound": for a device that reaches arrays through storage buffers.
std::string emit_spirv([[maybe_unused]] const Kernel& kernel, [[maybe_unused]] std::string_view name) {
#ifdef QD_VULKAN
  const qd::codegen::SpirvTarget target({.name = "any", .bound_arrays = name.ends_with("_bound") ? 8u : 0u});
  const qd::codegen::Binary binary = target.compile(kernel, {.fast_math = name.ends_with("_fast"), .assembly = true});
  for (const qd::codegen::spirv::TaskCode& task : qd::codegen::spirv::unpack(binary.code).tasks) {
    const std::string error = qd::codegen::spirv::invalid(task.usual_words());
    if (!error.empty()) throw std::runtime_error("invalid: " + error + "\n" + binary.assembly);
  }
  return binary.assembly;
#else
  throw std::runtime_error("built without the Vulkan back end");
#endif
}

/// PTX for the oldest GPU. "emit_nvptx": no fast-math, "emit_nvptx_fast": with it.
std::string emit_nvptx([[maybe_unused]] const Kernel& kernel, [[maybe_unused]] std::string_view name) {
#ifdef QD_CUDA
  return qd::codegen::NvptxTarget({}).compile(kernel, {.fast_math = name.ends_with("_fast")}).code;
#else
  throw std::runtime_error("built without code generation for NVIDIA's GPUs");
#endif
}

std::string run(const std::string& input, const std::vector<std::string>& commands) {
  try {
    Kernel kernel = qd::ir::parse(input);
    std::string arcs;
    for (const std::string& name : commands) {
      if (name == "emit_llvm") return qd::codegen::llvm_ir(kernel, {});
      if (name.starts_with("emit_spirv")) return emit_spirv(kernel, name);
      if (name.starts_with("emit_nvptx")) return emit_nvptx(kernel, name);
      if (name == "lower_probes" || name == "lower_probes_on_device") {
        const bool device = name != "lower_probes";
        arcs = map_text(qd::instrument::lower_probes(
            kernel, device ? qd::passes::LaunchCounts::Device : qd::passes::LaunchCounts::Host));
        verify(kernel);
        continue;
      }
      auto command = std::ranges::find(kCommands, std::string_view(name), &Command::name);
      if (command == std::end(kCommands)) throw std::runtime_error(fmt::format("unknown command {}", name));
      command->run(kernel);
      if (name != "parse") verify(kernel);
    }
    return qd::ir::print(kernel) + arcs;
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
  std::vector<std::string> without;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; i++) {
    const std::string_view argument = argv[i];
    if (argument == "--update") {
      update = true;
    } else if (argument == "--failed" && i + 1 < argc) {
      failed_folder = argv[++i];
    } else if (argument == "--without" && i + 1 < argc) {
      without.emplace_back(argv[++i]);
    } else {
      paths.emplace_back(argument);
    }
  }
  if (paths.empty()) {
    fmt::print(stderr, "usage: qd-ir [--update] [--failed FOLDER] [--without COMMAND]... FILE_OR_FOLDER...\n");
    return 2;
  }
  int failures = 0;
  size_t count = 0;
  try {
    for (const fs::path& path : files(paths)) {
      Golden golden = read(path);
      int failed = 0, updated = 0;
      for (Output& output : golden.outputs) {
        const bool left_out = std::ranges::any_of(output.commands, [&](const std::string& command) {
          return std::ranges::any_of(without, [&](const std::string& start) { return command.starts_with(start); });
        });
        if (left_out) continue;
        count++;
        const std::string actual = run(golden.input, output.commands);
        if (matches(output.expected, actual)) continue;
        // A pattern is rewritten by hand.
        if (update && output.expected.find("...\n") == std::string::npos) {
          updated++;
        } else {
          failed++;
          fmt::print("FAILED {} {}\nexpected:\n{}actual:\n{}", path.string(), output.header, output.expected, actual);
        }
        output.expected = actual;
      }
      if (updated > 0 && failed == 0) {
        write(path, golden);
        fmt::print("updated {}\n", path.string());
      } else if (failed > 0 && !failed_folder.empty()) {
        fs::create_directories(failed_folder);
        write(failed_folder / path.filename(), golden);
      }
      failures += failed;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "qd-ir: {}\n", error.what());
    return 1;
  }
  fmt::print("{} golden outputs, {} failed\n", count, failures);
  return failures != 0 || count == 0;
}
