// An anonymous file that is mapped twice.
#include "runtime/device/reference/reference_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

namespace qd::device {

ReferenceMemory::Pages ReferenceMemory::two_mappings(size_t size) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (size > SIZE_MAX / 2) throw std::bad_alloc();
  size = std::max<size_t>(1, (size + page - 1) / page) * page;
  const int file = memfd_create("qd reference device", MFD_CLOEXEC);
  if (file < 0) throw std::bad_alloc();
  Pages pages{MAP_FAILED, MAP_FAILED, size};
  if (ftruncate(file, static_cast<off_t>(size)) == 0) {
    pages.of_device = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pages.of_host = mmap(nullptr, size, PROT_NONE, MAP_SHARED, file, 0);
  }
  close(file);
  if (pages.of_device != MAP_FAILED && pages.of_host != MAP_FAILED) return pages;
  if (pages.of_device != MAP_FAILED) munmap(pages.of_device, size);
  if (pages.of_host != MAP_FAILED) munmap(pages.of_host, size);
  throw std::bad_alloc();
}

ReferenceMemory::ReferenceMemory(size_t size, std::function<void()> wait)
    : ReferenceMemory(size, two_mappings(size), std::move(wait)) {}

ReferenceMemory::ReferenceMemory(size_t size, const Pages& pages, std::function<void()> wait)
    : Memory(size, pages.of_device), pages_(pages), wait_(std::move(wait)) {}

ReferenceMemory::~ReferenceMemory() {
  munmap(pages_.of_device, pages_.size);
  munmap(pages_.of_host, pages_.size);
}

void* ReferenceMemory::map(Access access) {
  wait_();
  mprotect(pages_.of_host, pages_.size, access == Access::Write ? PROT_READ | PROT_WRITE : PROT_READ);
  return pages_.of_host;
}

void ReferenceMemory::unmap() { mprotect(pages_.of_host, pages_.size, PROT_NONE); }

}  // namespace qd::device
