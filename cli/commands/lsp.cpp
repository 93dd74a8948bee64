// `qd-cov lsp`: a language server that shows coverage in editors.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/lsp/connection.h"
#include "cli/lsp/document_path.h"
#include "cli/lsp/file_facts.h"
#include "cli/reported/reported_data.h"
#include "cli/standard_streams.h"

namespace qd::cli {

namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds kLook{500};  // poll interval of the data file
constexpr int kNotInitialized = -32002, kInvalidRequest = -32600, kNoSuchMethod = -32601, kInternalError = -32603;

/// Stamp of a file: changes when the file is replaced or written.
std::string stamp_of(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return "none";
  return fmt::format("{} {} {}.{}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

class Server {
 public:
  Server(LspConnection& editor, const report::Config& config, const std::optional<std::string>& python)
      : editor_(editor), config_(config), python_(python) {
    config_.cache = false;  // single files are analysed, now and then
  }

  int run() {
    Json message;
    while (true) {
      const LspConnection::Event event = editor_.wait(kLook, message);
      if (event == LspConnection::Event::kEnd) return kError;  // the editor has gone without "exit"
      if (event == LspConnection::Event::kMessage) {
        if (message.value("method", Json()) == "exit") return shut_down_ ? kOk : kError;
        receive(message);
      }
      if (initialized_ && stamp_of(config_.data_file) != stamp_) {
        read();
        for (const std::string& uri : open_) publish(uri);
        if (refreshes_) editor_.ask("workspace/codeLens/refresh");
      }
    }
  }

 private:
  /// Handles a message. After an error in it, the next one is awaited.
  void receive(const Json& message) {
    const Json id = message.value("id", Json());
    try {
      if (const std::string method = message.value("method", ""); !method.empty()) handle(method, message);
    } catch (const Json::exception&) {
      editor_.refuse(id, kInvalidRequest, "The request is not as the protocol has it.");
    } catch (const OutputError&) {
      throw;
    } catch (const std::exception& error) {
      tell(error.what());
      if (message.contains("id")) editor_.refuse(id, kInternalError, error.what());
    }
  }

  void handle(const std::string& method, const Json& message) {
    const Json parameters = message.value("params", Json::object());
    const bool is_request = message.contains("id");
    const Json id = message.value("id", Json());
    auto uri = [&] { return parameters.at("/textDocument/uri"_json_pointer).get<std::string>(); };
    if (shut_down_ || (initialized_ && method == "initialize")) {
      if (is_request) editor_.refuse(id, kInvalidRequest, fmt::format("'{}' is not expected any more.", method));
    } else if (method == "initialize") {
      refreshes_ = parameters.value("/capabilities/workspace/codeLens/refreshSupport"_json_pointer, false);
      initialized_ = true;
      editor_.answer(id, {{"capabilities",
                           {{"textDocumentSync", {{"openClose", true}, {"change", 0}, {"save", true}}},
                            {"codeLensProvider", {{"resolveProvider", false}}}}},
                          {"serverInfo", {{"name", "qd-cov"}, {"version", QD_VERSION}}}});
    } else if (!initialized_) {
      if (is_request) editor_.refuse(id, kNotInitialized, "The server is not initialized.");
    } else if (method == "shutdown") {
      shut_down_ = true;
      editor_.answer(id, nullptr);
    } else if (method == "textDocument/didOpen") {
      open_.insert(uri());
      publish(uri());
    } else if (method == "textDocument/didSave") {
      publish(uri());
    } else if (method == "textDocument/didClose") {
      open_.erase(uri());
      editor_.notify("textDocument/publishDiagnostics", {{"uri", uri()}, {"diagnostics", Json::array()}});
    } else if (method == "textDocument/codeLens") {
      editor_.answer(id, facts_of(uri()).lenses);
    } else if (is_request) {
      editor_.refuse(id, kNoSuchMethod, fmt::format("qd-cov does not know '{}'.", method));
    }
  }

  void publish(const std::string& uri) {
    editor_.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", facts_of(uri).diagnostics}});
  }

  void read() {
    stamp_ = stamp_of(config_.data_file);
    input_.reset();
    analyzer_.reset();
    files_.clear();
    try {
      input_ = read_report_input(config_, {}, python_, true);
    } catch (const report::NoDataError&) {
      return;  // no data until the tests have run
    } catch (const std::runtime_error& error) {
      editor_.notify("window/logMessage", {{"type", 1}, {"message", error.what()}});
      return;
    }
    analyzer_ = std::make_unique<report::FileAnalyzer>(input_->data, input_->config, input_->python_minor,
                                                       report::AnalysisNeeds{.regions = true, .descriptions = true});
    for (const report::ReportedFile& file : input_->files) files_[canonical_path(file.path)] = &file;
    files_.erase("");
  }

  FileFacts facts_of(const std::string& uri) {
    if (stamp_.empty()) read();
    auto found = files_.find(canonical_path(document_path(uri)));
    if (found == files_.end() || found->second->plugin) return {};
    try {
      return file_facts(analyzer_->analyze(*found->second), input_->data.contexts, config_.precision);
    } catch (const std::runtime_error& error) {  // such as a source that does not parse while it is edited
      editor_.notify("window/logMessage", {{"type", 2}, {"message", error.what()}});
      return {};
    }
  }

  LspConnection& editor_;
  report::Config config_;
  std::optional<std::string> python_;
  bool initialized_ = false, shut_down_ = false, refreshes_ = false;
  std::set<std::string> open_;  // addresses of open documents
  std::string stamp_;           // of the data file that was read; empty: none yet
  std::optional<ReportInput> input_;
  std::unique_ptr<report::FileAnalyzer> analyzer_;            // of input_
  std::map<std::string, const report::ReportedFile*> files_;  // of input_, by path
};

}  // namespace

int lsp(const Arguments& arguments) {
  CommandLine line("lsp", "[options]",
                   "A language server for editors, over standard input and output: missing lines and branches as "
                   "diagnostics, the coverage of functions and kernels as code lenses. It looks at the data file again "
                   "whenever that changes.");
  add_data_options(line);
  if (!line.parse(arguments)) return kOk;
  LspConnection editor;  // first, because it takes over standard output
  return Server(editor, report_config(line), line.text("python")).run();
}

}  // namespace qd::cli
