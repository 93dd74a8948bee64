// Layout of the code object: three parts, each at a page of its own: headers, notes, symbols, descriptors of kernels
// and constants; the code; the dynamic section. Addresses are offsets in the file.
// Formats: System V ABI, "Object Files" and "Dynamic Linking"; LLVM's AMDGPU Usage, "Code Object".
#include "runtime/codegen/amdgpu/link.h"

#include <llvm/BinaryFormat/ELF.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

namespace qd::codegen::amdgpu {
namespace {

namespace elf = llvm::ELF;

constexpr uint64_t kPage = 0x1000;

uint64_t aligned(uint64_t offset, uint64_t to) { return to < 2 ? offset : (offset + to - 1) / to * to; }

template <class T>
T read(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) throw std::logic_error("an object file is cut off");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class Linker {
 public:
  explicit Linker(std::string_view object) : object_(object), header_(read<elf::Elf64_Ehdr>(object, 0)) {
    for (uint16_t i = 0; i < header_.e_shnum; ++i)
      sections_.push_back(read<elf::Elf64_Shdr>(object, header_.e_shoff + uint64_t{i} * header_.e_shentsize));
  }

  std::string run() {
    find_symbols();
    // The headers come first.
    out_.resize(sizeof(elf::Elf64_Ehdr) + kSegments * sizeof(elf::Elf64_Phdr));
    made_.push_back({});
    put_kept(elf::SHT_NOTE, 0);
    const Part notes{made_.size() > 1 ? made_[1].sh_offset : 0, out_.size()};
    put_dynamic_symbols();
    put_kept(elf::SHT_PROGBITS, 0);
    const Part data{0, out_.size()};
    new_page();
    const uint64_t code_start = out_.size();
    put_kept(elf::SHT_PROGBITS, elf::SHF_EXECINSTR);
    const Part code{code_start, out_.size()};
    new_page();
    const uint64_t dynamic_start = out_.size();
    put_dynamic();
    const Part dynamic{dynamic_start, out_.size()};
    relocate();
    put_symbol_values();
    put_section_headers();
    put_headers(notes, data, code, dynamic);
    return std::move(out_);
  }

 private:
  static constexpr uint16_t kSegments = 6;
  struct Part {
    uint64_t begin, end;
  };
  struct Exported {
    elf::Elf64_Sym symbol;
    std::string name;
  };

  std::string_view bytes_of(const elf::Elf64_Shdr& section) const {
    if (section.sh_offset > object_.size() || object_.size() - section.sh_offset < section.sh_size)
      throw std::logic_error("an object file is cut off");
    return object_.substr(section.sh_offset, section.sh_size);
  }
  std::string text(const elf::Elf64_Shdr& strings, uint32_t offset) const {
    return bytes_of(strings).substr(offset).data();
  }

  void find_symbols() {
    for (const elf::Elf64_Shdr& section : sections_) {
      if (section.sh_type != elf::SHT_SYMTAB) continue;
      const elf::Elf64_Shdr& strings = sections_.at(section.sh_link);
      for (uint64_t at = 0; at < section.sh_size; at += sizeof(elf::Elf64_Sym)) {
        symbols_.push_back(read<elf::Elf64_Sym>(bytes_of(section), at));
        const elf::Elf64_Sym& symbol = symbols_.back();
        const bool defined = symbol.st_shndx != elf::SHN_UNDEF && symbol.st_shndx < sections_.size();
        if (symbol.getBinding() == elf::STB_GLOBAL && defined)
          exported_.push_back({symbol, text(strings, symbol.st_name)});
      }
    }
  }

  void new_page() { out_.resize(aligned(out_.size(), kPage)); }

  /// Adds a section whose bytes follow. Gives its number.
  uint16_t begin(const std::string& name, uint32_t type, uint64_t flags, uint64_t align) {
    out_.resize(aligned(out_.size(), align));
    elf::Elf64_Shdr section{};
    section.sh_name = static_cast<uint32_t>(names_.size());
    names_ += name + '\0';
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_addr = flags & elf::SHF_ALLOC ? out_.size() : 0;
    section.sh_offset = out_.size();
    section.sh_addralign = align;
    made_.push_back(section);
    return static_cast<uint16_t>(made_.size() - 1);
  }
  void end() { made_.back().sh_size = out_.size() - made_.back().sh_offset; }

  /// Adds the object's sections of this type that are loaded, and are code or not.
  void put_kept(uint32_t type, uint64_t code) {
    const elf::Elf64_Shdr& strings = sections_.at(header_.e_shstrndx);
    for (uint16_t i = 0; i < sections_.size(); ++i) {
      const elf::Elf64_Shdr& section = sections_[i];
      const bool loaded = section.sh_flags & elf::SHF_ALLOC && section.sh_size > 0;
      if (!loaded || section.sh_type != type || (section.sh_flags & elf::SHF_EXECINSTR) != code) continue;
      if (section.sh_flags & elf::SHF_WRITE) throw std::logic_error("code for a GPU has data that can be written");
      numbers_[i] = begin(text(strings, section.sh_name), type, elf::SHF_ALLOC | code, section.sh_addralign);
      out_ += bytes_of(section);
      end();
    }
  }

  /// The table is filled when all addresses are known.
  void put_dynamic_symbols() {
    const uint32_t count = static_cast<uint32_t>(exported_.size()) + 1;
    dynsym_ = begin(".dynsym", elf::SHT_DYNSYM, elf::SHF_ALLOC, 8);
    made_[dynsym_].sh_entsize = sizeof(elf::Elf64_Sym);
    made_[dynsym_].sh_link = dynsym_ + 2u;
    made_[dynsym_].sh_info = 1;
    out_.resize(out_.size() + count * sizeof(elf::Elf64_Sym));
    end();
    // One bucket, whose chain has all symbols.
    begin(".hash", elf::SHT_HASH, elf::SHF_ALLOC, 4);
    made_.back().sh_entsize = sizeof(uint32_t);
    made_.back().sh_link = dynsym_;
    for (uint32_t word : {1u, count, count > 1 ? 1u : 0u, 0u}) append(out_, word);
    for (uint32_t i = 1; i < count; ++i) append(out_, i + 1 < count ? i + 1 : 0u);
    end();
    begin(".dynstr", elf::SHT_STRTAB, elf::SHF_ALLOC, 1);
    out_ += '\0';
    for (Exported& each : exported_) {
      each.symbol.st_name = static_cast<uint32_t>(out_.size() - made_.back().sh_offset);
      out_ += each.name + '\0';
    }
    end();
  }

  void put_dynamic() {
    begin(".dynamic", elf::SHT_DYNAMIC, elf::SHF_ALLOC | elf::SHF_WRITE, 8);
    made_.back().sh_entsize = 2 * sizeof(uint64_t);
    made_.back().sh_link = dynsym_ + 2u;
    auto entry = [&](uint64_t tag, uint64_t value) { append(out_, tag), append(out_, value); };
    entry(elf::DT_SYMTAB, made_[dynsym_].sh_addr);
    entry(elf::DT_SYMENT, sizeof(elf::Elf64_Sym));
    entry(elf::DT_HASH, made_[dynsym_ + 1u].sh_addr);
    entry(elf::DT_STRTAB, made_[dynsym_ + 2u].sh_addr);
    entry(elf::DT_STRSZ, made_[dynsym_ + 2u].sh_size);
    entry(elf::DT_NULL, 0);
    end();
  }

  uint64_t address(const elf::Elf64_Sym& symbol) const {
    const auto section = numbers_.find(symbol.st_shndx);
    if (section == numbers_.end()) throw std::logic_error("code for a GPU refers to what it does not have");
    return made_[section->second].sh_addr + symbol.st_value;
  }

  void relocate() {
    for (const elf::Elf64_Shdr& section : sections_) {
      const auto target = numbers_.find(static_cast<uint16_t>(section.sh_info));
      if (section.sh_type != elf::SHT_RELA || target == numbers_.end()) continue;
      for (uint64_t at = 0; at < section.sh_size; at += sizeof(elf::Elf64_Rela))
        relocate(read<elf::Elf64_Rela>(bytes_of(section), at), made_[target->second]);
    }
  }

  void relocate(const elf::Elf64_Rela& relocation, const elf::Elf64_Shdr& section) {
    const uint64_t place = section.sh_addr + relocation.r_offset;
    const uint64_t distance =
        address(symbols_.at(relocation.getSymbol())) + static_cast<uint64_t>(relocation.r_addend) - place;
    auto put = [&](uint64_t value, size_t size) {
      out_.replace(place, size, reinterpret_cast<const char*>(&value), size);
    };
    switch (relocation.getType()) {
      case elf::R_AMDGPU_REL32:
      case elf::R_AMDGPU_REL32_LO: put(distance & UINT32_MAX, 4); return;
      case elf::R_AMDGPU_REL32_HI: put(distance >> 32, 4); return;
      case elf::R_AMDGPU_REL64: put(distance, 8); return;
      default: throw std::logic_error("code for a GPU has a reference of an unknown kind");
    }
  }

  void put_symbol_values() {
    uint64_t at = made_[dynsym_].sh_offset;
    for (Exported& each : exported_) {
      at += sizeof(elf::Elf64_Sym);  // the first one is empty
      const uint64_t value = address(each.symbol);
      each.symbol.st_shndx = numbers_.at(each.symbol.st_shndx);
      each.symbol.st_value = value;
      std::memcpy(out_.data() + at, &each.symbol, sizeof(elf::Elf64_Sym));
    }
    // A copy of the table, for tools that do not read dynamic symbols.
    const elf::Elf64_Shdr dynamic = made_[dynsym_];
    begin(".symtab", elf::SHT_SYMTAB, 0, 8);
    made_.back().sh_entsize = dynamic.sh_entsize;
    made_.back().sh_link = dynamic.sh_link;
    made_.back().sh_info = dynamic.sh_info;
    out_ += out_.substr(dynamic.sh_offset, dynamic.sh_size);
    end();
  }

  void put_section_headers() {
    strings_ = begin(".shstrtab", elf::SHT_STRTAB, 0, 1);
    out_ += names_;
    end();
    out_.resize(aligned(out_.size(), 8));
    headers_ = out_.size();
    for (const elf::Elf64_Shdr& section : made_) append(out_, section);
  }

  void put_headers(const Part& notes, const Part& data, const Part& code, const Part& dynamic) {
    elf::Elf64_Ehdr header = header_;  // with the processor and the version of the code object
    header.e_type = elf::ET_DYN;
    header.e_phoff = sizeof(elf::Elf64_Ehdr);
    header.e_phentsize = sizeof(elf::Elf64_Phdr);
    header.e_phnum = kSegments;
    header.e_shoff = headers_;
    header.e_shnum = static_cast<uint16_t>(made_.size());
    header.e_shstrndx = strings_;
    std::string bytes;
    append(bytes, header);
    auto segment = [&](uint32_t type, uint32_t flags, const Part& part, uint64_t align) {
      const uint64_t size = part.end - part.begin;
      append(bytes, elf::Elf64_Phdr{type, flags, part.begin, part.begin, part.begin, size, size, align});
    };
    segment(elf::PT_PHDR, elf::PF_R, {header.e_phoff, header.e_phoff + kSegments * sizeof(elf::Elf64_Phdr)}, 8);
    segment(elf::PT_LOAD, elf::PF_R, data, kPage);
    segment(elf::PT_LOAD, elf::PF_R | elf::PF_X, code, kPage);
    segment(elf::PT_LOAD, elf::PF_R | elf::PF_W, dynamic, kPage);
    segment(elf::PT_DYNAMIC, elf::PF_R | elf::PF_W, dynamic, 8);
    segment(elf::PT_NOTE, elf::PF_R, notes, 4);
    out_.replace(0, bytes.size(), bytes);
  }

  std::string_view object_;
  elf::Elf64_Ehdr header_;
  std::vector<elf::Elf64_Shdr> sections_;  // of the object
  std::vector<elf::Elf64_Sym> symbols_;
  std::vector<Exported> exported_;

  std::string out_;
  std::vector<elf::Elf64_Shdr> made_;
  std::string names_ = std::string(1, '\0');
  std::map<uint16_t, uint16_t> numbers_;  // the number of an object's section among those that were made
  uint16_t dynsym_ = 0, strings_ = 0;
  uint64_t headers_ = 0;
};

}  // namespace

std::string link(std::string_view object) { return Linker(object).run(); }

}  // namespace qd::codegen::amdgpu
