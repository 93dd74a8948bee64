// Peers' packages: a sitecustomize.py in PYTHONPATH that finds them.
#include "cli/measure/peer_packages.h"

#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStartPeers =
#include "start_peers.inc"
    ;

}  // namespace

std::vector<std::string> peer_packages() { return {"quadrants", "taichi"}; }

void stand_for(const std::vector<std::string>& packages, const std::string& folder, EnvironmentChanges& environment) {
  fs::create_directory(folder);
  const std::string file = folder + "/sitecustomize.py";
  std::ofstream stream(file, std::ios::binary);
  stream << kStartPeers;
  if (!stream.flush()) throw std::runtime_error(fmt::format("Couldn't write '{}'", file));
  const char* own = std::getenv("PYTHONPATH");
  auto changed = environment.find("PYTHONPATH");
  const std::string path = changed != environment.end() ? changed->second.value_or("") : own ? own : "";
  // Behind the folder of coverage.py, which starts before anything else.
  const size_t end = changed != environment.end() ? path.find(':') : 0;
  if (path.empty()) {
    environment["PYTHONPATH"] = folder;
  } else if (end == 0) {
    environment["PYTHONPATH"] = folder + ":" + path;
  } else {
    environment["PYTHONPATH"] = path.substr(0, end) + ":" + folder + (end == std::string::npos ? "" : path.substr(end));
  }
  environment["QD_COV_AS"] = fmt::format("{}", fmt::join(packages, ","));
}

}  // namespace qd::cli
