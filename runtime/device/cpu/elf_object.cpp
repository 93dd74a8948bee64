// One mapping for all sections, read-only ones before code. Addresses outside of the mapping are reached through a
// table, as position-independent code expects.
#include "runtime/device/cpu/loader.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace qd::device {
namespace {

/// Thrown for an object that this loader leaves to LLVM's.
struct Unknown {};

void known(bool condition) {
  if (!condition) throw Unknown();
}

size_t aligned(size_t offset, size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

/// The address of a function of this process, or of the mathematical libraries, which not every process has loaded.
uint64_t external_address(const char* name) {
  void* address = dlsym(RTLD_DEFAULT, name);
  if (!address) {
    static const bool loaded = [] {
      dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
      dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
      return true;
    }();
    if (loaded) address = dlsym(RTLD_DEFAULT, name);
  }
  return reinterpret_cast<uint64_t>(address);
}

class Mapping {
 public:
  explicit Mapping(size_t size) : size_(size) {
    void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    known(data != MAP_FAILED);
    data_ = static_cast<char*>(data);
  }
  ~Mapping() { munmap(data_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  char* data() const { return data_; }
  void protect(size_t begin, size_t end, int access) const {
    if (begin < end) known(mprotect(data_ + begin, end - begin, access) == 0);
  }

 private:
  char* data_ = nullptr;
  size_t size_;
};

class ElfObject : public LoadedObject {
 public:
  ElfObject(std::unique_ptr<Mapping> mapping, size_t code, size_t size, std::vector<TaskFunction> functions)
      : mapping_(std::move(mapping)) {
    functions_ = std::move(functions);
    code_begin_ = reinterpret_cast<uint64_t>(mapping_->data() + code);
    code_size_ = size - code;
  }

 private:
  std::unique_ptr<Mapping> mapping_;
};

class Linker {
 public:
  Linker(std::string_view file, OwnFunctions own) : file_(file), own_(own) {
    const auto header = read<Elf64_Ehdr>(0);
    known(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
          header.e_ident[EI_DATA] == ELFDATA2LSB);
    known(header.e_type == ET_REL && header.e_machine == EM_X86_64 && header.e_shentsize == sizeof(Elf64_Shdr));
    for (size_t i = 0; i < header.e_shnum; ++i)
      sections_.push_back(read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)));
    known(header.e_shstrndx < sections_.size());
    names_ = sections_[header.e_shstrndx];
    offsets_.resize(sections_.size());
  }

  std::unique_ptr<LoadedObject> link(const std::vector<std::string>& wanted) {
    read_symbols();
    place();
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_RELA && loaded(section.sh_info)) relocate(section);
      known(section.sh_type != SHT_REL);
    }
    std::vector<TaskFunction> functions;
    for (const std::string& name : wanted) {
      auto found = defined_.find(name);
      known(found != defined_.end());
      functions.push_back(reinterpret_cast<TaskFunction>(address_of(symbols_[found->second])));
    }
    mapping_->protect(0, code_, PROT_READ);
    mapping_->protect(code_, size_, PROT_READ | PROT_EXEC);
    return std::make_unique<ElfObject>(std::move(mapping_), code_, size_, std::move(functions));
  }

 private:
  static constexpr size_t kStub = 8;   // one stub: jmp *entry(%rip), padded
  static constexpr size_t kEntry = 8;  // one entry of the table of addresses

  template <class T>
  T read(uint64_t offset) const {
    known(offset <= file_.size() && sizeof(T) <= file_.size() - offset);
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }
  const char* text(const Elf64_Shdr& strings, uint64_t offset) const {
    known(offset < strings.sh_size && strings.sh_offset <= file_.size() &&
          strings.sh_size <= file_.size() - strings.sh_offset);
    known(file_[strings.sh_offset + strings.sh_size - 1] == '\0');
    return file_.data() + strings.sh_offset + offset;
  }

  /// Whether a section is needed when the code runs. Tables for unwinding are not: this code is never unwound.
  bool loaded(size_t section) const {
    known(section < sections_.size());
    const Elf64_Shdr& s = sections_[section];
    return (s.sh_flags & SHF_ALLOC) && s.sh_size > 0 && std::string_view(text(names_, s.sh_name)) != ".eh_frame";
  }

  void read_symbols() {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_SYMTAB) continue;
      known(section.sh_link < sections_.size() && symbols_.empty() && section.sh_entsize == sizeof(Elf64_Sym));
      strings_ = sections_[section.sh_link];
      for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym))
        symbols_.push_back(read<Elf64_Sym>(section.sh_offset + at));
    }
    for (size_t i = 0; i < symbols_.size(); ++i) {
      const Elf64_Sym& symbol = symbols_[i];
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      known(type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC || type == STT_SECTION || type == STT_FILE);
      known(symbol.st_shndx < sections_.size() || symbol.st_shndx == SHN_ABS);
      if (symbol.st_shndx != SHN_UNDEF && type == STT_FUNC) defined_.emplace(text(strings_, symbol.st_name), i);
    }
  }

  /// Gives sections their places: constants, then the table of addresses, then, on pages of their own, the code and the
  /// stubs that jump through the table. Any symbol may need an entry and a stub.
  void place() {
    auto put = [&](bool code) {
      for (size_t i = 0; i < sections_.size(); ++i) {
        const Elf64_Shdr& s = sections_[i];
        if (!loaded(i) || bool(s.sh_flags & SHF_EXECINSTR) != code) continue;
        known((s.sh_type == SHT_PROGBITS || s.sh_type == SHT_NOBITS) && !(s.sh_flags & SHF_TLS) &&
              s.sh_addralign <= kPage);
        // Refuses sections that code could write to: all launches would share them.
        known(!(s.sh_flags & SHF_WRITE) || std::string_view(text(names_, s.sh_name)).starts_with(".data.rel.ro"));
        known(s.sh_size < kLargest && size_ < kLargest);
        size_ = aligned(size_, std::max<uint64_t>(1, s.sh_addralign));
        offsets_[i] = size_;
        size_ += s.sh_size;
      }
    };
    put(false);
    entries_ = aligned(size_, kEntry);
    code_ = size_ = aligned(entries_ + symbols_.size() * kEntry, kPage);
    put(true);
    stubs_ = aligned(size_, kStub);
    size_ = aligned(stubs_ + symbols_.size() * kStub, kPage);
    mapping_ = std::make_unique<Mapping>(size_);
    for (size_t i = 0; i < sections_.size(); ++i) {
      const Elf64_Shdr& s = sections_[i];
      if (!loaded(i) || s.sh_type == SHT_NOBITS) continue;
      known(s.sh_offset <= file_.size() && s.sh_size <= file_.size() - s.sh_offset);
      std::memcpy(mapping_->data() + offsets_[i], file_.data() + s.sh_offset, s.sh_size);
    }
  }

  uint64_t base() const { return reinterpret_cast<uint64_t>(mapping_->data()); }

  uint64_t address_of(const Elf64_Sym& symbol) const {
    if (symbol.st_shndx == SHN_ABS) return symbol.st_value;
    if (symbol.st_shndx == SHN_UNDEF) {
      const char* name = text(strings_, symbol.st_name);
      for (auto [own_name, own_address] : own_) {
        if (own_name == name) return reinterpret_cast<uint64_t>(own_address);
      }
      const uint64_t address = external_address(name);
      known(address != 0);
      return address;
    }
    known(loaded(symbol.st_shndx) && symbol.st_value <= sections_[symbol.st_shndx].sh_size);
    return base() + offsets_[symbol.st_shndx] + symbol.st_value;
  }

  /// The place of the table entry that holds the address of a symbol.
  uint64_t entry_of(size_t symbol) {
    char* entry = mapping_->data() + entries_ + symbol * kEntry;
    const uint64_t address = address_of(symbols_[symbol]);
    std::memcpy(entry, &address, sizeof address);
    return reinterpret_cast<uint64_t>(entry);
  }

  /// The place of a stub that jumps to a symbol, at any distance.
  uint64_t stub_of(size_t symbol) {
    const uint64_t entry = entry_of(symbol);
    char* stub = mapping_->data() + stubs_ + symbol * kStub;
    const auto distance = static_cast<int32_t>(entry - (reinterpret_cast<uint64_t>(stub) + 6));
    std::memcpy(stub, "\xff\x25", 2);
    std::memcpy(stub + 2, &distance, sizeof distance);
    return reinterpret_cast<uint64_t>(stub);
  }

  void relocate(const Elf64_Shdr& relocations) {
    known(relocations.sh_entsize == sizeof(Elf64_Rela));
    const Elf64_Shdr& target = sections_[relocations.sh_info];
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= relocations.sh_size; at += sizeof(Elf64_Rela)) {
      const auto relocation = read<Elf64_Rela>(relocations.sh_offset + at);
      const size_t symbol = ELF64_R_SYM(relocation.r_info);
      known(symbol < symbols_.size());
      auto write = [&](auto value) {
        known(relocation.r_offset <= target.sh_size && sizeof value <= target.sh_size - relocation.r_offset);
        std::memcpy(mapping_->data() + offsets_[relocations.sh_info] + relocation.r_offset, &value, sizeof value);
      };
      const uint64_t place = base() + offsets_[relocations.sh_info] + relocation.r_offset;
      auto write_distance = [&](uint64_t to) {
        const auto distance = static_cast<int64_t>(to + static_cast<uint64_t>(relocation.r_addend) - place);
        known(distance == static_cast<int32_t>(distance));
        write(static_cast<int32_t>(distance));
      };
      const bool external = symbols_[symbol].st_shndx == SHN_UNDEF;
      switch (ELF64_R_TYPE(relocation.r_info)) {
        case R_X86_64_64: write(address_of(symbols_[symbol]) + static_cast<uint64_t>(relocation.r_addend)); break;
        case R_X86_64_PC64:
          write(address_of(symbols_[symbol]) + static_cast<uint64_t>(relocation.r_addend) - place);
          break;
        case R_X86_64_PC32: write_distance(address_of(symbols_[symbol])); break;
        case R_X86_64_PLT32: write_distance(external ? stub_of(symbol) : address_of(symbols_[symbol])); break;
        case R_X86_64_GOTPCREL:
        case R_X86_64_GOTPCRELX:
        case R_X86_64_REX_GOTPCRELX: write_distance(entry_of(symbol)); break;
        default: throw Unknown();
      }
    }
  }

  static constexpr uint64_t kLargest = uint64_t{1} << 28;  // distances fit 32 bits
  const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

  std::string_view file_;
  OwnFunctions own_;
  std::vector<Elf64_Shdr> sections_;
  Elf64_Shdr names_{}, strings_{};  // of sections, of symbols
  std::vector<Elf64_Sym> symbols_;
  std::unordered_map<std::string_view, size_t> defined_;
  std::vector<size_t> offsets_;  // of sections in the mapping
  size_t entries_ = 0, code_ = 0, stubs_ = 0, size_ = 0;
  std::unique_ptr<Mapping> mapping_;
};

}  // namespace

std::unique_ptr<LoadedObject> load_elf(const std::string& object, const std::vector<std::string>& symbols,
                                       OwnFunctions own) {
  try {
    return Linker(object, own).link(symbols);
  } catch (const Unknown&) {
    return nullptr;
  }
}

}  // namespace qd::device
