#include "report/check/check.h"
namespace qd::report {
void deleted_comments(const CheckInput&, CheckReport&) { throw ConfigError("not yet"); }
}
