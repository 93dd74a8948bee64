// Process mark: made of the boot id, the namespace of process numbers and the start time; locks come first.
#include "report/data/process_mark.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string_view>

namespace qd::report {

namespace {

/// Random id of the running kernel, the same in all containers of a machine.
const std::string& boot_id() {
  static const std::string id = [] {
    std::string line;
    std::ifstream stream("/proc/sys/kernel/random/boot_id");
    std::getline(stream, line);
    return line;
  }();
  return id;
}

/// Inode of the namespace of process numbers; 0 when it is not known.
uint64_t pid_namespace() {
  struct stat status = {};
  return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

/// Start time of a process, in clock ticks since the boot; 0 when there is no such process.
uint64_t start_of(const std::string& process) {
  std::ifstream stream("/proc/" + process + "/stat");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const size_t name_end = text.rfind(')');  // a name may have spaces
  if (name_end == std::string::npos) return 0;
  constexpr int kFieldsBefore = 19;  // of field 22, behind the name, https://man7.org/linux/man-pages/man5/proc.5.html
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int i = 0; i <= kFieldsBefore; ++i) fields >> field;
  return fields ? std::strtoull(field.c_str(), nullptr, 10) : 0;
}

/// Whether /proc has the numbers of this process's namespace: it does not where only the namespace is new.
bool proc_is_ours() {
  std::array<char, 32> link{};
  const ssize_t size = readlink("/proc/self", link.data(), link.size());
  return size > 0 && std::string_view(link.data(), static_cast<size_t>(size)) == std::to_string(getpid());
}

bool is_locked_for_life(int file) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// Whether the mount of a device has `option` among the options of its file system.
bool is_mounted_with(dev_t device, const std::string& option) {
  const std::string number = fmt::format("{}:{}", major(device), minor(device));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string id, parent, its_number;
    fields >> id >> parent >> its_number;
    if (its_number == number) return line.find(option) != std::string::npos;
  }
  return false;
}

enum class FileSystem { OfThisMachine, SharedWithLocks, Shared };

/// Kind of the file system of an open file. An unknown one counts as shared by machines that do not see each other's
/// locks.
FileSystem file_system_of(int file) {
  constexpr uint32_t kXfs = 0x58465342, kZfs = 0x2fc12fc1, kBcachefs = 0xca451a4e, kCeph = 0x00c36400;
  constexpr uint32_t kOfThisMachine[] = {EXT4_SUPER_MAGIC,  kXfs,        BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC,
                                         F2FS_SUPER_MAGIC,  TMPFS_MAGIC, RAMFS_MAGIC,       kZfs,
                                         MSDOS_SUPER_MAGIC, kBcachefs};
  struct statfs status = {};
  if (fstatfs(file, &status) != 0) return FileSystem::Shared;
  const auto type = static_cast<uint32_t>(status.f_type);
  if (std::ranges::find(kOfThisMachine, type) != std::end(kOfThisMachine)) return FileSystem::OfThisMachine;
  struct stat device = {};
  const bool nfs_with_locks =
      type == NFS_SUPER_MAGIC && fstat(file, &device) == 0 && is_mounted_with(device.st_dev, "local_lock=none");
  return type == kCeph || nfs_with_locks ? FileSystem::SharedWithLocks : FileSystem::Shared;
}

/// State of a process of this machine by its number, if its namespace is ours.
ProcessState state_by_number(const ProcessMark& process) {
  if (process.pid_namespace == 0 || process.pid_namespace != pid_namespace() || !proc_is_ours())
    return ProcessState::Unknown;
  const uint64_t started = start_of(std::to_string(process.pid));
  return started != 0 && started == process.started ? ProcessState::Runs : ProcessState::Ended;
}

}  // namespace

ProcessMark ProcessMark::present(LockReach lock) {
  return {host_name(), boot_id(), qd::report::pid_namespace(), static_cast<uint32_t>(getpid()), start_of("self"), lock};
}

void ProcessMark::put_to(std::string& bytes) const {
  put_text(bytes, host);
  put_text(bytes, boot);
  put(bytes, pid_namespace);
  put(bytes, pid);
  put(bytes, started);
  put(bytes, static_cast<uint32_t>(lock));
}

ProcessMark ProcessMark::read(ByteReader& bytes) {
  ProcessMark mark;
  mark.host = bytes.text();
  mark.boot = bytes.text();
  mark.pid_namespace = bytes.number<uint64_t>();
  mark.pid = bytes.number<uint32_t>();
  mark.started = bytes.number<uint64_t>();
  mark.lock = static_cast<LockReach>(bytes.number<uint32_t>());
  return bytes.ok ? mark : ProcessMark{};
}

LockReach lock_for_life(int file) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(file, F_OFD_SETLK, &lock) != 0) return LockReach::None;
  return file_system_of(file) == FileSystem::SharedWithLocks ? LockReach::AllMachines : LockReach::Machine;
}

ProcessState state_of_writer(int file, const ProcessMark& writer) {
  if (is_locked_for_life(file)) return ProcessState::Runs;
  if (writer.boot.empty()) return ProcessState::Ended;
  const FileSystem kind = file_system_of(file);
  if (writer.boot == boot_id()) {
    // Containers of one machine may have the file from a mount each, so only a file system of this machine, or of a
    // server, has one place for its locks.
    const bool seen = writer.lock != LockReach::None && kind != FileSystem::Shared;
    return seen ? ProcessState::Ended : state_by_number(writer);
  }
  // A file of this machine alone is from before it was started anew.
  if (kind == FileSystem::OfThisMachine) return ProcessState::Ended;
  const bool seen = writer.lock == LockReach::AllMachines && kind == FileSystem::SharedWithLocks;
  return seen ? ProcessState::Ended : ProcessState::Unknown;
}

std::string host_name() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

std::string process_suffix() {
  std::string host = host_name();
  for (char& c : host)
    if (c == '.' || c == '/') c = '_';
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::random_device random;
  std::uniform_int_distribution<size_t> letter(0, kLetters.size() - 1);
  std::string word;
  for (int i = 0; i < 6; ++i) word += kLetters[letter(random)];
  return fmt::format(".{}.pid{}.X{}x", host, getpid(), word);
}

}  // namespace qd::report
