// Annotations of parameters and results.
#pragma once

#include "runtime/frontend/constants/static_eval.h"

namespace qd::frontend {

/// The value of an annotation; a string is parsed and evaluated. Nothing after an error.
std::optional<Value> evaluate_annotation(const syntax::Expr& expr, StaticScope& scope, const Options& options);

/// The host's value of an annotation, from where the function was defined: that of a parameter, that of the result
/// ("return"), or a default. Names may mean something else by now, or be gone. Nothing if the host has no value of its
/// own.
std::optional<Value> defined_annotation(std::string_view parameter, Environment& environment);
std::optional<Value> defined_default(std::string_view parameter, Environment& environment);

/// The value of a parameter's annotation: the host's, or else that of the source.
std::optional<Value> parameter_annotation(const syntax::Arg& parameter, StaticScope& scope, Environment& environment,
                                          const Options& options);

/// Whether a parameter's annotation is qd.template() or qd.Template; reports nothing.
bool is_template(const syntax::Arg& parameter, Environment& environment);

/// The meaning of a name or dotted name outside of any function; reports nothing.
std::optional<Value> quiet_value(const syntax::Expr& expr, Environment& environment);

}  // namespace qd::frontend
