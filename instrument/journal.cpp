// Appends records to a file in mapped pieces; see report/data/journal.h for the layout.
#include "instrument/journal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "report/data/journal.h"

namespace qd::instrument {

namespace format = report::journal;

namespace {

constexpr size_t kChunk = 64 * 1024;  // a multiple of the page size

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
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
}

void Journal::give_up(const char* what) {
  std::fprintf(stderr, "qd: kernel coverage journal %s: %s: %s; a crash of this process would lose kernel coverage\n", path_.c_str(), what, std::strerror(errno));
  in_memory_ = true;
}

bool Journal::open_file() {
  std::error_code ignored;  // opening the file will say what is wrong
  std::filesystem::create_directories(options_.folder, ignored);
  std::string name = options_.folder + "/" + report::kJournalPrefix + std::to_string(getpid());
  path_ = name;
  // A file of that name was left by a dead process that had this one's number, or is of a live one elsewhere: it stays.
  for (int i = 1; i < 1000; ++i) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0 || errno != EEXIST) break;
    path_ = name + "." + std::to_string(i);
  }
  if (file_ < 0) return false;
  // Readers ask for this lock to see whether the process lives. It is not inherited by fork.
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  fcntl(file_, F_SETLK, &lock);
  return true;
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

uint32_t Journal::add_arcs(std::span<const JournalArc> arcs, std::span<const std::string> files) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, lists_);
  put<uint32_t>(fixed, static_cast<uint32_t>(arcs.size()));
  put<uint32_t>(fixed, static_cast<uint32_t>(files.size()));
  put<uint32_t>(fixed, 0);
  for (const JournalArc& arc : arcs) {
    put<uint32_t>(fixed, arc.file);
    put<int32_t>(fixed, arc.arc.from);
    put<int32_t>(fixed, arc.arc.to);
  }
  for (const std::string& file : files) {
    put<uint32_t>(fixed, static_cast<uint32_t>(file.size()));
    fixed += file;
  }
  append(format::kArcs, fixed, 0);
  return lists_++;
}

HitBits Journal::add_bits(uint32_t list, size_t size, const std::string& context) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, list);
  put<uint32_t>(fixed, static_cast<uint32_t>(context.size()));
  fixed += context;
  return HitBits(append(format::kBits, fixed, (size + 7) / 8), size);
}

void Journal::remove() {
  std::lock_guard lock(mutex_);
  if (file_ >= 0) unlink(path_.c_str());
}

}  // namespace qd::instrument
