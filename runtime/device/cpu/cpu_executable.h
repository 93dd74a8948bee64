// Loaded machine code of one kernel, with the properties of each of its tasks.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "runtime/device/cpu/form_trial.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/device/device.h"
#include "runtime/ir/counters.h"

namespace qd::device {

class CpuExecutable : public Executable {
 public:
  CpuExecutable(const codegen::Binary& binary, const ir::Kernel& kernel);

  bool wants_other_forms() override;
  void add_other_forms(const codegen::Binary& binary) override;
  void without_other_forms() override;
  std::vector<codegen::MeasuredForm> measured_forms() const override;

  /// The function of a task in one form, and the object that has it.
  struct Form {
    TaskFunction function = nullptr;
    const LoadedObject* code = nullptr;
  };
  /// The other form of a task, and the trial of both.
  struct OtherForm {
    uint32_t task;
    Form form = {};  // before the trial begins: none
    FormTrial trial = {};
  };

  struct LoadedTask {
    Form form;
    OtherForm* other = nullptr;  // null: the task has one form
    bool parallel = false;
    std::vector<ir::Bound> bounds;  // as in ir::Task, like the fields that follow
    int32_t block_dim = 0;
    uint32_t start_counter = ir::kNoCounter;
    uint32_t trip_counter = ir::kNoCounter;
    int64_t cost = 1;            // the cost of an iteration: an estimate in tenths of nanoseconds
    ir::CounterRanges counters;  // without those of routines
    int64_t lanes = 1;           // iterations that run together, in the form that has more: codegen::Binary::lanes
    bool uniform = true;         // iterations cost about the same
    bool random = false;         // draws random numbers
    bool calls = false;          // calls routines that count, also through other routines
    bool recursive = false;      // calls routines that check the rest of the stack, also through other routines
    bool scatters = false;       // adds to elements anywhere: a part of the range may do so in an array of its own
    bool loops = false;          // has loops or calls: an iteration may take any time
  };
  const std::vector<LoadedTask>& tasks() const { return tasks_; }
  /// The schedule of the tasks; empty: each task once, in order.
  const ir::Schedule& schedule() const { return schedule_; }
  uint32_t temps() const { return temps_; }
  uint32_t kept_temps() const { return kept_temps_; }
  uint32_t end_counter() const { return end_counter_; }
  const ir::CounterRanges& routine_counters() const { return routine_counters_; }
  /// Whether the code claims elements.
  bool claims() const { return claims_; }
  /// Number of values of a format.
  size_t values_of(uint32_t format) const { return format_values_[format]; }
  /// Whether this is the first call for this format.
  bool first_warning(uint32_t format) const {
    return !warned_[format].load(std::memory_order_relaxed) && !warned_[format].exchange(true);
  }

 private:
  std::unique_ptr<LoadedObject> code_, other_code_;
  std::vector<std::unique_ptr<OtherForm>> others_;
  std::vector<LoadedTask> tasks_;
  ir::Schedule schedule_;
  ir::CounterRanges routine_counters_;
  uint32_t temps_;
  uint32_t kept_temps_;
  uint32_t end_counter_;
  bool claims_ = false;
  std::vector<uint32_t> format_values_;
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format
};

}  // namespace qd::device
