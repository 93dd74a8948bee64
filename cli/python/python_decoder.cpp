// Decoder of sources in rare encodings: starts the user's Python for each.
#include "cli/python/python_decoder.h"

#include "cli/python/python_version.h"
#include "report/data/program_output.h"

namespace qd::cli {

namespace {

// The encodings of Python's library alone: a name must not make it import and run other code.
constexpr const char* kDecode =
    "import codecs, sys\n"
    "info = codecs.lookup(sys.argv[1])\n"
    "assert info._is_text_encoding and info.name != 'idna'\n"
    "text = sys.stdin.buffer.read().decode(info.name, 'replace')\n"
    "sys.stdout.buffer.write(text.encode('utf-8', 'replace'))\n";

}  // namespace

std::optional<std::string> decode_by_python(std::string_view bytes, const std::string& encoding) {
  const auto python = python_program();
  if (!python) return std::nullopt;
  try {
    report::ProgramOutput output = report::program_output({python->program, "-IS", "-c", kDecode, encoding},
                                                          std::string(bytes), report::own_environment());
    return output.exit_code == 0 ? std::optional(std::move(output.out)) : std::nullopt;
  } catch (const report::StartError&) {
    return std::nullopt;
  }
}

}  // namespace qd::cli
