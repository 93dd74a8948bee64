// Finds the build id in the notes of a loaded ELF object.
#include "runtime/build/build_id.h"

#include <fmt/core.h>
#include <link.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace qd {

namespace {

struct Search {
  uintptr_t code;  // an address in the object that is searched for
  std::string id, path;
};

bool holds(const dl_phdr_info& object, uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    uintptr_t start = object.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= start && address - start < part.p_memsz) return true;
  }
  return false;
}

std::string id_in_notes(std::string_view notes) {
  auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
  for (ElfW(Nhdr) note; notes.size() >= sizeof note;) {
    std::memcpy(&note, notes.data(), sizeof note);
    size_t at = sizeof note + padded(note.n_namesz), end = at + padded(note.n_descsz);
    if (end > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(sizeof note, note.n_namesz) == std::string_view("GNU\0", 4))
      return std::string(notes.substr(at, note.n_descsz));
    notes.remove_prefix(end);
  }
  return {};
}

int visit(dl_phdr_info* object, size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (!holds(*object, search.code)) return 0;
  search.path = object->dlpi_name[0] != '\0' ? object->dlpi_name : "/proc/self/exe";
  for (int i = 0; i < object->dlpi_phnum && search.id.empty(); ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      search.id = id_in_notes({reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz});
  }
  return 1;
}

}  // namespace

std::string build_id_of(const void* code) {
  Search search = {reinterpret_cast<uintptr_t>(code), {}, {}};
  dl_iterate_phdr(visit, &search);
  if (!search.id.empty()) return search.id;
  struct stat status = {};
  if (search.path.empty() || stat(search.path.c_str(), &status) != 0) return {};
  return fmt::format("{} {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace qd
