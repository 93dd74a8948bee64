// Collects what the counters of compiled variants say, before a variant goes and whenever somebody asks.
#include "instrument/session.h"

#include <algorithm>
#include <shared_mutex>

#include "instrument/lower_probes.h"

namespace qd::instrument {

/// The counters of one compiled variant. Launches hold the lock shared, so that nobody reads sums half way through one.
class Session::Variant : public VariantObserver {
 public:
  Variant(Session& session, CoverageMap map) : session_(session), map_(std::move(map)), counters_(map_.counters, 0) {
    std::lock_guard lock(session_.mutex_);
    session_.variants_.insert(this);
  }
  ~Variant() override {
    std::lock_guard lock(session_.mutex_);
    session_.collect(*this);
    session_.variants_.erase(this);
  }

  uint64_t* counters() override {
    launches_.lock_shared();
    return counters_.data();
  }
  void launch_done() override { launches_.unlock_shared(); }

 private:
  friend class Session;
  Session& session_;
  CoverageMap map_;
  std::vector<uint64_t> counters_;
  std::shared_mutex launches_;
};

Session::Session() = default;
Session::~Session() = default;

std::unique_ptr<VariantObserver> Session::lower_probes(ir::Kernel& kernel) {
  return std::make_unique<Variant>(*this, instrument::lower_probes(kernel));
}

void Session::collect(Variant& variant) {
  std::unique_lock launches(variant.launches_);
  for (const MappedArc& arc : variant.map_.arcs)
    if (arc.count.value(variant.counters_) > 0) arcs_[variant.map_.functions[arc.function].file].insert({arc.from, arc.to});
}

std::map<std::string, std::set<report::Arc>> Session::arcs() {
  std::lock_guard lock(mutex_);
  for (Variant* variant : variants_) collect(*variant);
  return arcs_;
}

void Session::forget() {
  std::lock_guard lock(mutex_);
  arcs_.clear();
  for (Variant* variant : variants_) {
    std::unique_lock launches(variant->launches_);
    std::fill(variant->counters_.begin(), variant->counters_.end(), 0);
  }
}

report::CoverageData to_coverage_data(const std::map<std::string, std::set<report::Arc>>& arcs, const DataOptions& options) {
  report::CoverageData data;
  data.has_arcs = options.branch;
  report::ContextId context = data.context_id(options.context);
  std::string prefix = options.relative_to;
  if (!prefix.empty() && prefix.back() != '/') prefix += '/';
  for (const auto& [file, taken] : arcs) {
    std::string path = !prefix.empty() && file.starts_with(prefix) ? file.substr(prefix.size()) : file;
    data.files[path];
    for (const report::Arc& arc : taken) {
      if (options.branch) {
        data.add_arc(path, arc, context);
      } else if (arc.from < 0) {
        data.add_line(path, arc.to, context);
      }
    }
  }
  return data;
}

}  // namespace qd::instrument
