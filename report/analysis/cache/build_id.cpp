// Build id of the program or library that has this code.
#include "report/analysis/cache/build_id.h"

#include "runtime/build/build_id.h"

namespace qd::report {

std::string build_id() { return build_id_of(reinterpret_cast<const void*>(&build_id)); }

}  // namespace qd::report
