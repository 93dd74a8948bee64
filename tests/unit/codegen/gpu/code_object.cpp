#include "tests/unit/codegen/gpu/code_object.h"

#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/AMDHSAKernelDescriptor.h>

#include <cstring>
#include <map>

namespace qd::codegen::amdgpu::testing {
namespace {

using File = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// The value, or nothing and the reason.
template <class T>
T checked(llvm::Expected<T> value, std::string& error) {
  if (value) return *value;
  error += llvm::toString(value.takeError());
  return T{};
}

void read_notes(const File& file, CodeObject& object) {
  const auto segments = checked(file.program_headers(), object.error);
  for (const auto& segment : segments) {
    if (segment.p_type != llvm::ELF::PT_NOTE) continue;
    llvm::Error error = llvm::Error::success();
    for (const auto& note : file.notes(segment, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != llvm::ELF::NT_AMDGPU_METADATA) continue;
      llvm::msgpack::Document document;
      if (!document.readFromBlob(note.getDescAsStringRef(4), false)) object.error += "the note is no MsgPack";
      llvm::raw_string_ostream stream(object.metadata);
      document.toYAML(stream);
    }
    if (error) object.error += llvm::toString(std::move(error));
  }
}

void read_symbols(const File& file, CodeObject& object) {
  std::map<std::string, uint64_t> addresses;
  const auto sections = checked(file.sections(), object.error);
  for (const auto& section : sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM) continue;
    const llvm::StringRef names = checked(file.getStringTableForSymtab(section), object.error);
    const auto symbols = checked(file.symbols(&section), object.error);
    for (const auto& symbol : symbols) {
      if (symbol.st_name != 0) addresses[checked(symbol.getName(names), object.error).str()] = symbol.st_value;
    }
  }
  for (const auto& [name, address] : addresses) {
    object.symbols.push_back(name);
    auto bytes = file.toMappedAddr(address);
    if (!bytes) {
      ++object.unloaded_symbols;
      llvm::consumeError(bytes.takeError());
    } else if (name.ends_with(".kd")) {
      llvm::amdhsa::kernel_descriptor_t descriptor;
      std::memcpy(&descriptor, *bytes, sizeof(descriptor));
      const auto entry = static_cast<int64_t>(address) + descriptor.kernel_code_entry_byte_offset;
      object.entry_errors.push_back(entry - static_cast<int64_t>(addresses[name.substr(0, name.size() - 3)]));
    }
  }
}

}  // namespace

CodeObject read(const std::string& bytes) {
  CodeObject object;
  llvm::Expected<File> file = File::create(bytes);
  if (!file) {
    object.error = llvm::toString(file.takeError());
    return object;
  }
  object.is_shared = file->getHeader().e_type == llvm::ELF::ET_DYN;
  auto whole = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create(
      llvm::MemoryBufferRef(llvm::StringRef(bytes), "code object"));
  if (whole) {
    object.processor = whole->tryGetCPUName().value_or("").str();
  } else {
    object.error += llvm::toString(whole.takeError());
  }
  read_notes(*file, object);
  read_symbols(*file, object);
  return object;
}

}  // namespace qd::codegen::amdgpu::testing
