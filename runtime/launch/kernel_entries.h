// Entries of a kernel: its compiled variants, each with the conditions under which a launch can run it.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/validation.h"
#include "runtime/launch/arguments.h"
#include "runtime/launch/bound_arguments.h"
#include "runtime/launch/program_state.h"
#include "runtime/launch/read_only_arrays.h"

namespace qd {

struct KernelEntry {
  VariantKey key;
  frontend::TemplateReads reads;
  std::vector<WrittenArray> written;
  std::vector<GradientRow> gradients;
  autodiff::OverwriteChecks checks;
  std::vector<autodiff::ElementRecord> records;  // of a launch that is recorded, or of the gradient's
  std::shared_ptr<Variant> variant;
  bool stacks = false;     // whether launches need stacks
  int32_t first_read = 0;  // the number of its location 0 in read_of(), if it has checks
  std::vector<LeafRow> leaves = {};
  std::unique_ptr<frontend::TemplateReader> reader = nullptr;  // of the reads; null: there are none
  uint64_t number = next_number();

  /// Whether no launch can fit it any more: fields and objects that it was compiled for are no more.
  bool outlived() const;
  /// Whether what it read from templates is as it was when it was compiled. `leaves` gets their leaves. `bound` may be
  /// null.
  bool reads_hold(std::span<const Argument> arguments, frontend::TemplateLeaves& leaves,
                  BoundArguments* bound = nullptr) const;

 private:
  /// Numbers of entries, from 1; none is used twice.
  static uint64_t next_number();
};

/// Thread-safe. An entry lives at least as long as the User that was there when it was found.
class KernelEntries {
 public:
  KernelEntries(Program& program, frontend::FunctionSource source, std::shared_ptr<frontend::Environment> environment,
                const KernelOptions& kernel_options);

  /// A user of entries. It is on the stack.
  class User {
   public:
    explicit User(KernelEntries& entries) : entries_(entries) { entries_.users_.fetch_add(1); }
    ~User() { entries_.users_.fetch_sub(1); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;

   private:
    KernelEntries& entries_;
  };

  const frontend::Signature& signature() const { return signature_; }
  const std::string& name() const { return name_; }

  /// The entry for arguments; it is compiled when it is new. `was_there` may be null. Throws KernelCompilationError.
  KernelEntry& entry(std::span<const Argument> arguments, ir::AutodiffMode mode = ir::AutodiffMode::Primal,
                     bool* was_there = nullptr);
  /// The entry that a launch tries first; null when there is none.
  KernelEntry* first_tried(const BoundArguments* bound, ir::AutodiffMode mode);

  /// Observations of the offline cache at the last compilation.
  CacheObservations cache_observations();

 private:
  std::atomic<KernelEntry*>& latest_in(ir::AutodiffMode mode) { return latest_[static_cast<size_t>(mode)]; }
  /// Whether launches tell the observer of derivatives.
  bool derivatives() const { return ir::has(options_.instruments, ir::Instrument::Derivatives); }
  ir::Function function() const { return {source_.file, name_, source_.first_line()}; }
  /// The types of arguments for the front end, which knows gradients only where the kernel uses them.
  std::vector<frontend::ArgumentType> lowered_arguments(const VariantKey& key) const;
  KernelEntry* find(const VariantKey& key, std::span<const Argument> arguments);
  /// Releases entries that no launch can fit any more. Called by a user of entries that has no entry at the moment.
  void drop_outlived();
  /// The kernel of a variant, before the passes. `reads` gets what the front end read from templates.
  ir::Kernel lower(const VariantKey& key, frontend::TemplateReads& reads, std::vector<autodiff::ElementRecord>& records,
                   CacheObservations& seen);
  /// Compiles a variant. Null for a launch that is recorded and has nothing to record: it is the primal's.
  std::unique_ptr<KernelEntry> compile(const VariantKey& key);
  /// An entry of another mode with the code of the primal's.
  std::unique_ptr<KernelEntry> like_primal(const VariantKey& key, const KernelEntry& primal) const;

  Program::State& program_;
  const frontend::FunctionSource source_;
  const std::shared_ptr<frontend::Environment> environment_;
  LaunchObserver* const observer_;  // null for a kernel of the language itself
  const frontend::Options options_;
  const std::string name_;
  const frontend::Signature signature_;
  std::mutex mutex_;  // guards entries_; not held while compiling, which may call the host
  std::vector<std::unique_ptr<KernelEntry>> entries_;
  std::vector<std::unique_ptr<KernelEntry>> outlived_;                  // taken out of entries_; guarded by the mutex
  std::array<std::atomic<KernelEntry*>, ir::kAutodiffModes> latest_{};  // by mode
  std::atomic<int> users_ = 0;                                          // of entries
  CacheObservations cache_seen_;                                        // guarded by the mutex
};

}  // namespace qd
