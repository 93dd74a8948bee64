// The options of a program: those of qd.init that the native runtime uses (runtime/options/options.def).
#pragma once

#include <cstdint>
#include <string>

#include "runtime/ir/type.h"

namespace qd {

#define QD_WORDS(name, ...) enum class name { __VA_ARGS__ };
#define QD_NUMBERS(name, ...) enum class name { __VA_ARGS__ };
#include "runtime/options/options.def"

struct Config {
#define QD_NATIVE_OPTION(type, name, value, ...) type name = value;
#include "runtime/options/options.def"
};

}  // namespace qd
