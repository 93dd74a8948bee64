// Format of a container: a header of three words, and for each task: local size, whether it draws, and the number of
// words and the words of its module, of its second module, and of the list of bound arrays; then those of the tables.
#include "runtime/codegen/spirv/container.h"

#include <cstring>
#include <stdexcept>

namespace qd::codegen::spirv {
namespace {

constexpr uint32_t kMagic = 0x56534451;  // "QDSV"
constexpr uint32_t kVersion = 3;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  uint32_t word() {
    uint32_t value = 0;
    take(&value, 1);
    return value;
  }
  void take(uint32_t* to, size_t words) {
    if (words > rest_.size() / sizeof(uint32_t)) throw std::runtime_error("the code of a kernel is cut off");
    if (words == 0) return;
    std::memcpy(to, rest_.data(), words * sizeof(uint32_t));
    rest_.remove_prefix(words * sizeof(uint32_t));
  }
  /// A number of words, and the words.
  std::vector<uint32_t> list() {
    const uint32_t count = word();
    if (count > rest_.size() / sizeof(uint32_t)) throw std::runtime_error("the code of a kernel is cut off");
    std::vector<uint32_t> words(count);
    take(words.data(), count);
    return words;
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

void put_words(std::string& out, const uint32_t* words, size_t count) {
  out.append(reinterpret_cast<const char*>(words), count * sizeof(uint32_t));
}

void put_list(std::string& out, const std::vector<uint32_t>& words) {
  const auto count = static_cast<uint32_t>(words.size());
  put_words(out, &count, 1);
  put_words(out, words.data(), words.size());
}

}  // namespace

std::string pack(const KernelCode& code) {
  std::string out;
  const uint32_t head[] = {kMagic, kVersion, static_cast<uint32_t>(code.tasks.size())};
  put_words(out, head, std::size(head));
  for (const TaskCode& task : code.tasks) {
    const uint32_t row[] = {task.local_size, task.draws ? 1u : 0u};
    put_words(out, row, std::size(row));
    put_list(out, task.words);
    put_list(out, task.bound_words);
    put_list(out, task.bound);
  }
  put_list(out, code.tables);
  return out;
}

KernelCode unpack(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.word() != kMagic || reader.word() != kVersion)
    throw std::runtime_error("the code of a kernel is no container of SPIR-V modules");
  KernelCode code;
  const uint32_t count = reader.word();
  for (uint32_t i = 0; i < count; ++i) {
    TaskCode task;
    task.local_size = reader.word();
    task.draws = reader.word() != 0;
    task.words = reader.list();
    task.bound_words = reader.list();
    task.bound = reader.list();
    code.tasks.push_back(std::move(task));
  }
  code.tables = reader.list();
  if (!reader.empty()) throw std::runtime_error("the code of a kernel has bytes behind its end");
  return code;
}

}  // namespace qd::codegen::spirv
