#include "report/check/check.h"
namespace qd::report {
void unlaunched_kernels(const CheckInput&, CheckReport&) { throw ConfigError("not yet"); }
}
