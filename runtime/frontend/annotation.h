// Annotations of parameters and results.
#pragma once

#include "runtime/frontend/static_eval.h"

namespace qd::frontend {

/// The value of an annotation; a string is parsed and evaluated. Nothing after an error.
std::optional<Value> evaluate_annotation(const syntax::Expr& expr, StaticScope& scope, const Options& options);

/// Whether an annotation is qd.template() or qd.Template; reports nothing. Null: no annotation.
bool is_template(const syntax::Expr* annotation, Environment& environment);

/// The meaning of a name or dotted name outside of any function; reports nothing.
std::optional<Value> quiet_value(const syntax::Expr& expr, Environment& environment);

}  // namespace qd::frontend
