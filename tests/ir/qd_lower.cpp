// Golden tests of the front end: a Python file holds the options, kernels, and as comments below them what compiling
// gives.
//
//   # options: probes debug pipeline argument=value ...
//   import qd
//   @qd.kernel
//   def k(x: qd.types.ndarray(qd.f32, 1)): ...
//   # ---
//   # <the IR of each kernel, or its diagnostics>
//
// Other programs: `qd-lower --show [probes] [debug] FILE` prints the IR of every kernel of a file; `--arcs FILE` the
// arcs of its probes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "runtime/frontend/frontend.h"
#include "runtime/passes/pipeline.h"

namespace fs = std::filesystem;
using namespace qd;

namespace {

constexpr std::string_view kOptionLine = "# options:";
constexpr std::string_view kSeparator = "\n# ---\n";

struct Wanted {
  frontend::Options options;
  bool pipeline = false;
};

Wanted read_options(const std::string& line) {
  Wanted wanted;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == "probes")
      wanted.options.instruments |= ir::instruments(ir::Instrument::Arcs);
    else if (word == "conditions")
      wanted.options.instruments |= ir::instruments(ir::Instrument::Conditions);
    else if (word == "debug")
      wanted.options.debug = true;
    else if (word == "bounds")
      wanted.options.check_out_of_bound = true;
    else if (word == "eager")
      wanted.options.short_circuit_operators = false;
    else if (word == "f64")
      wanted.options.default_fp = ir::Type::F64;
    else if (word == "i64")
      wanted.options.default_ip = ir::Type::I64;
    else if (word == "graph")
      wanted.options.graph = true;
    else if (word == "checkpoints")
      wanted.options.graph = wanted.options.checkpoints = true;
    else if (word == "pipeline")
      wanted.pipeline = true;
    else
      throw std::runtime_error(fmt::format("unknown option {}", word));
  }
  return wanted;
}

/// An argument for a parameter: its own type, or stand-ins for what its annotation leaves open.
frontend::ArgumentType argument_for(const frontend::Parameter& parameter) {
  switch (parameter.kind) {
    case frontend::Parameter::Kind::Scalar: return *parameter.type;
    case frontend::Parameter::Kind::Array: {
      frontend::ArrayType array{parameter.type.value_or(ir::Type::F32), parameter.rank.value_or(1),
                                parameter.element_shape.value_or(std::vector<int32_t>())};
      for (int32_t extent : array.element_shape) array.layout.components *= extent;
      return array;
    }
    case frontend::Parameter::Kind::Template: break;
  }
  if (parameter.name.starts_with("field"))
    return frontend::Value(frontend::HostField{7, ir::Type::F32, {8, 4}, parameter.name});
  if (parameter.name.starts_with("none")) return frontend::Value(frontend::None{});
  return frontend::Value(int64_t{3});
}

/// The text without what says only where an instruction comes from.
std::string without_locations(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("location ") || line.starts_with("function ")) continue;
    size_t at = line.rfind(" @");
    if (at != std::string::npos && line.find('"', at) == std::string::npos) {
      bool opens = line.ends_with(" {");
      line.resize(at);
      if (opens) line += " {";
    }
    out += line + "\n";
  }
  return out;
}

std::string compile(const frontend::FunctionSource& source, frontend::Environment& environment, const Wanted& wanted) {
  std::vector<frontend::Warning> warnings;
  std::string text;
  try {
    frontend::Signature signature = frontend::signature(source, environment, wanted.options);
    std::vector<frontend::ArgumentType> arguments;
    for (const auto& parameter : signature.parameters) arguments.push_back(argument_for(parameter));
    ir::Kernel kernel = frontend::lower(source, environment, arguments, wanted.options, &warnings);
    std::vector<std::string> wrong = ir::verify(kernel);
    if (!wrong.empty()) return fmt::format("not verified: {}\n{}", fmt::join(wrong, "\n"), ir::print(kernel));
    std::string printed = ir::print(kernel);
    if (ir::print(ir::parse(printed)) != printed) return fmt::format("does not parse back:\n{}", printed);
    if (wanted.pipeline) {
      passes::run(kernel);
      printed = ir::print(kernel);
    }
    text = without_locations(printed);
  } catch (const frontend::KernelCompilationError& error) {
    text = fmt::format("{}\n", error.what());
  }
  for (const frontend::Warning& warning : warnings) text += fmt::format("warning: {}\n", message(warning));
  return text;
}

struct File {
  std::shared_ptr<const syntax::Module> module;
  std::shared_ptr<frontend::Environment> environment;
  std::vector<frontend::FunctionSource> kernels;
};

File load(std::string source, const std::string& name) {
  syntax::ParseResult parsed = syntax::parse(std::move(source));
  if (!parsed.module)
    throw std::runtime_error(fmt::format("{}:{}: {}", name, parsed.error->line, parsed.error->message));
  File file;
  file.module = std::move(parsed.module);
  file.environment = frontend::module_environment(file.module, name);
  for (const syntax::Stmt* stmt : file.module->body) {
    auto* def = std::get_if<syntax::FunctionDef>(&stmt->node);
    if (!def || def->decorator_list.empty()) continue;
    auto value = file.environment->lookup(def->name);
    auto* object = value ? std::get_if<frontend::HostObject>(&*value) : nullptr;
    if (object && object->description.starts_with("kernel")) file.kernels.push_back({file.module, stmt, name, 0});
  }
  return file;
}

struct Golden {
  Wanted wanted;
  std::string source;
  std::string expected;
};

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read", path.string()));
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

Golden read(const fs::path& path) {
  std::string text = read_text(path);
  if (!text.starts_with(kOptionLine))
    throw std::runtime_error(fmt::format("{}: the first line must be '{} ...'", path.string(), kOptionLine));
  Golden golden;
  golden.wanted = read_options(text.substr(kOptionLine.size(), text.find('\n') - kOptionLine.size()));
  size_t separator = text.find(kSeparator);
  golden.source = text.substr(0, separator == std::string::npos ? separator : separator + 1);
  if (separator != std::string::npos) golden.expected = text.substr(separator + kSeparator.size());
  return golden;
}

std::string as_comments(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? "#\n" : fmt::format("# {}\n", line);
  return out;
}

std::string run(const Golden& golden, const std::string& name) {
  File file = load(golden.source, name);
  std::string text;
  for (const auto& kernel : file.kernels) text += compile(kernel, *file.environment, golden.wanted);
  return as_comments(text);
}

int golden_files(bool update, const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".py") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  int failures = 0;
  for (const fs::path& path : files) {
    Golden golden = read(path);
    std::string actual = run(golden, path.filename().string());
    if (actual == golden.expected) continue;
    if (update) {
      std::ofstream(path) << golden.source << kSeparator.substr(1) << actual;
      fmt::print("updated {}\n", path.string());
      continue;
    }
    failures++;
    fmt::print("FAILED {}\n--- expected\n{}--- actual\n{}", path.string(), golden.expected, actual);
  }
  fmt::print("{} golden files, {} failed\n", files.size(), failures);
  return failures != 0 || files.empty();
}

int show(const std::vector<std::string>& words) {
  std::string options;
  for (size_t i = 0; i + 1 < words.size(); i++) options += words[i] + " ";
  Wanted wanted = read_options(options);
  File file = load(read_text(words.back()), words.back());
  for (const auto& kernel : file.kernels) fmt::print("{}\n", compile(kernel, *file.environment, wanted));
  return 0;
}

/// One line an arc: function's first line, from, to.
int arcs(const std::string& path) {
  File file = load(read_text(path), path);
  frontend::Options options;
  options.debug = true;
  options.instruments = ir::instruments(ir::Instrument::Arcs);
  for (const auto& kernel : file.kernels) {
    options.graph = frontend::decorated_with(kernel, "graph");
    options.checkpoints = frontend::decorated_with(kernel, "checkpoints");
    frontend::Signature signature = frontend::signature(kernel, *file.environment, options);
    std::vector<frontend::ArgumentType> arguments;
    for (const auto& parameter : signature.parameters) arguments.push_back(argument_for(parameter));
    ir::Kernel lowered = frontend::lower(kernel, *file.environment, arguments, options, nullptr);
    for (const ir::Probe& probe : lowered.probes) {
      fmt::print("{} {} {}\n", lowered.functions[probe.function].first_line, probe.from, probe.to);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  bool update = false;
  try {
    if (words.size() >= 2 && words[0] == "--show") return show({words.begin() + 1, words.end()});
    if (words.size() == 2 && words[0] == "--arcs") return arcs(words[1]);
    if (!words.empty() && words[0] == "--update") {
      update = true;
      words.erase(words.begin());
    }
    if (!words.empty()) return golden_files(update, words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "qd-lower: {}\n", error.what());
    return 1;
  }
  fmt::print(stderr, "usage: qd-lower [--update] FILE_OR_FOLDER...\n");
  return 2;
}
