# cmake -D INPUTS="a.py;b.py" -D OUTPUT=library_text.cpp -P embed_library.cmake: the texts of the files, in their order
# (functions/library_calls.cpp).
set(arrays "")
set(texts "")
foreach(file ${INPUTS})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char k_${name}[] = {${bytes}};\n")
  string(APPEND texts "{k_${name}, sizeof k_${name}}, ")
endforeach()
file(WRITE ${OUTPUT} "// Made from the Python package's funcs of the language itself.
#include \"runtime/frontend/functions/library_calls.h\"

namespace qd::frontend {
namespace {

${arrays}
}  // namespace

std::string_view library_text(LibraryFile file) {
  static constexpr std::string_view kTexts[] = {${texts}};
  return kTexts[static_cast<size_t>(file)];
}

}  // namespace qd::frontend
")
