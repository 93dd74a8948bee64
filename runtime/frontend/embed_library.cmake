# cmake -D INPUTS="a.py;b.py" -D OUTPUT=library_text.cpp -P embed_library.cmake: the files one after the other as one
# text (functions/library_calls.cpp).
set(bytes "")
foreach(file ${INPUTS})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," more "${hex}")
  string(APPEND bytes "${more}")
endforeach()
file(WRITE ${OUTPUT} "// Made from the Python package's funcs of the language itself.
#include \"runtime/frontend/functions/library_calls.h\"

namespace qd::frontend {

std::string_view library_text() {
  static constexpr char kText[] = {${bytes}};
  return {kText, sizeof kText};
}

}  // namespace qd::frontend
")
