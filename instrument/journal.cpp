// Appends records to a file in mapped pieces; see report/data/journal.h for the layout.
#include "instrument/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "report/data/journal.h"

namespace qd::instrument {

namespace format = report::journal;

namespace {

constexpr size_t kChunk = 64 * 1024;  // a multiple of the page size

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& out, const std::string& text) {
  put<uint32_t>(out, static_cast<uint32_t>(text.size()));
  out += text;
}

void put_function(std::string& out, const JournalFunction& function) {
  put<int32_t>(out, function.function.first_line);
  put<uint32_t>(out, function.function.is_kernel);
  for (const std::string* text : {&function.file, &function.function.name, &function.function.arch}) put_text(out, *text);
}

void put_range(std::string& out, const report::SourceRange& range) {
  for (int32_t part : {range.line, range.col, range.end_line, range.end_col}) put(out, part);
}

}  // namespace

Journal::Journal(JournalOptions options) : options_(std::move(options)), in_memory_(options_.folder.empty()) {}

Journal::~Journal() {
  for (const Chunk& chunk : chunks_) {
    if (chunk.mapped) {
      munmap(chunk.memory, chunk.size);
    } else {
      delete[] chunk.memory;
    }
  }
  if (file_ >= 0) close(file_);
  if (lock_ >= 0) close(lock_);
}

void Journal::give_up(const char* what) {
  std::fprintf(stderr, "qd: kernel coverage journal %s: %s: %s; a crash of this process would lose kernel coverage\n", path_.c_str(), what, std::strerror(errno));
  in_memory_ = true;
}

bool Journal::open_file() {
  std::error_code ignored;  // opening the file will say what is wrong
  std::filesystem::create_directories(options_.folder, ignored);
  const std::string name = options_.folder + "/" + report::kJournalPrefix + std::to_string(getpid());
  path_ = name;
  static std::atomic<int> counter = 0;
  const std::string unlocked = fmt::format("{}/.qd-cov.{}.{}.journal", options_.folder, getpid(), counter++);
  unlink(unlocked.c_str());  // of a process that died between these lines
  file_ = open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) return false;
  // Readers ask for this lock to see whether the process lives; the process itself may be one of them. It has a descriptor of its own, which a fork's child closes:
  // what is mapped keeps the lock of its descriptor.
  lock_ = open(unlocked.c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  fcntl(lock_, F_OFD_SETLK, &lock);
  // Under its own name nobody sees it unlocked. A file of that name was left by a dead process that had this one's number, or is of a live one elsewhere: it stays.
  for (int i = 1; i < 1000; ++i) {
    if (renameat2(AT_FDCWD, unlocked.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno == EINVAL && !std::filesystem::exists(path_)) return std::rename(unlocked.c_str(), path_.c_str()) == 0;  // a file system that knows no better
    if (errno != EEXIST && errno != EINVAL) break;
    path_ = fmt::format("{}.{}", name, i);
  }
  const int error = errno;
  unlink(unlocked.c_str());
  close(std::exchange(file_, -1));
  close(std::exchange(lock_, -1));
  errno = error;
  return false;
}

void Journal::add_chunk(size_t size) {
  size = (size + kChunk - 1) / kChunk * kChunk;
  if (!in_memory_ && file_ < 0 && !open_file()) give_up("cannot be made");
  if (!in_memory_) {
    // Allocated, not only extended: a page that finds no room on the disk would end the process.
    int error = posix_fallocate(file_, static_cast<off_t>(file_size_), static_cast<off_t>(size));
    void* memory = MAP_FAILED;
    errno = error;
    if (error == 0) memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(file_size_));
    if (memory != MAP_FAILED) {
      chunks_.push_back({static_cast<uint8_t*>(memory), size, true});
      file_size_ += size;
      used_ = 0;
      return;
    }
    give_up("cannot grow");
  }
  chunks_.push_back({new uint8_t[size](), size, false});
  used_ = 0;
}

/// Room for a record; gives the place after its fixed part.
uint8_t* Journal::append(uint32_t kind, const std::string& fixed, size_t free_size) {
  size_t fixed_size = format::padded(fixed.size());
  size_t payload = fixed_size + format::padded(free_size);
  size_t needed = sizeof(format::Record) + payload;
  if (chunks_.empty()) {
    std::string header(format::kMagic, 8);
    put<uint32_t>(header, options_.branch);
    put<uint32_t>(header, static_cast<uint32_t>(options_.relative_to.size()));
    header += options_.relative_to;
    header.resize(format::padded(header.size()));
    add_chunk(header.size() + needed);
    std::memcpy(chunks_.back().memory, header.data(), header.size());
    used_ = header.size();
  }
  // A piece that is left over is a record of its own; there is always room for its head.
  size_t left = chunks_.back().size - used_;
  if (left < needed + sizeof(format::Record) && left != needed) {
    if (left >= sizeof(format::Record)) {
      format::Record pad{format::kPad, static_cast<uint32_t>(left - sizeof(format::Record)), 0, 0};
      std::memcpy(chunks_.back().memory + used_, &pad, sizeof pad);
    }
    add_chunk(needed + sizeof(format::Record));
  }
  uint8_t* at = chunks_.back().memory + used_;
  std::memcpy(at + sizeof(format::Record), fixed.data(), fixed.size());
  std::string padded_fixed = fixed;
  padded_fixed.resize(fixed_size);
  format::Record record{format::kEnd, static_cast<uint32_t>(payload), format::checksum(padded_fixed.data(), fixed_size), static_cast<uint32_t>(fixed_size)};
  std::memcpy(at, &record, sizeof record);
  __atomic_store_n(reinterpret_cast<uint32_t*>(at), kind, __ATOMIC_RELEASE);
  used_ += needed;
  return at + sizeof(format::Record) + fixed_size;
}

uint32_t Journal::add_variant(std::span<const JournalFunction> functions, std::span<const JournalArc> arcs, std::span<const JournalArc> left_out,
                              std::span<const CompiledDecision> decisions) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variants_);
  put<uint32_t>(fixed, static_cast<uint32_t>(functions.size()));
  put<uint32_t>(fixed, static_cast<uint32_t>(arcs.size()));
  put<uint32_t>(fixed, static_cast<uint32_t>(left_out.size()));
  for (std::span<const JournalArc> list : {arcs, left_out}) {
    for (const JournalArc& arc : list) {
      put<uint32_t>(fixed, arc.function);
      put<int32_t>(fixed, arc.arc.from);
      put<int32_t>(fixed, arc.arc.to);
    }
  }
  for (const JournalFunction& function : functions) put_function(fixed, function);
  append(format::kVariant, fixed, 0);
  if (!decisions.empty()) add_decisions(variants_, decisions);
  return variants_++;
}

void Journal::add_decisions(uint32_t variant, std::span<const CompiledDecision> decisions) {
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put<uint32_t>(fixed, static_cast<uint32_t>(decisions.size()));
  for (const CompiledDecision& decision : decisions) {
    put<uint32_t>(fixed, decision.function);
    put_text(fixed, decision.kind);
    put_range(fixed, decision.range);
    put<uint32_t>(fixed, static_cast<uint32_t>(decision.conditions.size()));
    for (const report::SourceRange& condition : decision.conditions) put_range(fixed, condition);
    put<uint32_t>(fixed, static_cast<uint32_t>(decision.outcomes.size()));
    for (const report::Evaluation& outcome : decision.outcomes) fixed += outcome.conditions + outcome.result;
  }
  append(format::kDecisions, fixed, 0);
}

void Journal::add_error(const JournalFunction& kernel, const std::string& message) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put_function(fixed, kernel);
  put_text(fixed, message);
  append(format::kError, fixed, 0);
}

HitBits Journal::add_bits(uint32_t variant, size_t size, const std::string& context) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put_text(fixed, context);
  return HitBits(append(format::kBits, fixed, (size + 7) / 8), size);
}

void Journal::leave_to_parent() {
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
  in_memory_ = true;
}

void Journal::remove() {
  std::lock_guard lock(mutex_);
  if (file_ >= 0) unlink(path_.c_str());
}

}  // namespace qd::instrument
