// Source decoder: what converts sources in other encodings than UTF-8 and Latin-1.
#pragma once

#include "runtime/syntax/source_encoding.h"

namespace qd::report {

using syntax::set_source_decoder;
using syntax::SourceDecoder;

}  // namespace qd::report
