# Embedding: cmake -D INPUTS="a.css;b.js" -D OUTPUT=templates.cpp -P embed.cmake writes the files as one C++ table (see
# templates.h).

# Hash 'sha256-<base64>' of a file, for a content security policy.
function(csp_hash file result)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  file(SHA256 ${file} hex)
  string(APPEND hex "00")  # 32 bytes are eleven groups of three, with one byte added
  set(base64 "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING ${hex} ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${digit} 1 letter)
      string(APPEND base64 ${letter})
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" base64 ${base64})
  set(${result} "'sha256-${base64}'" PARENT_SCOPE)
endfunction()

set(arrays "")
set(rows "")
set(index 0)
foreach(file ${INPUTS})
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  csp_hash(${file} hash)
  string(APPEND arrays "constexpr char kFile${index}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${name}\", {kFile${index}, sizeof kFile${index}}, \"${hash}\"},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made from the files of templates/.
#include \"templates/templates.h\"

namespace qd::templates {
namespace {

${arrays}
constexpr Template kTemplates[] = {
${rows}};

}  // namespace

std::span<const Template> all() { return kTemplates; }

}  // namespace qd::templates
")
