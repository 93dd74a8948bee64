// Compile-time evaluation inside a kernel: its names are the kernel's, as far as they are known.
#pragma once

#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/constants/type_attributes.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `name is None` or `name is not None` of a local: its meaning, and which of both it is.
struct NoneTest {
  const Item& item;
  bool is;
};

/// The parts of such a test; nothing for other expressions. Reports nothing.
std::optional<NoneTest> none_test(Compilation& c, const syntax::Expr& test);

class KernelScope : public StaticScope {
 public:
  explicit KernelScope(Compilation& c) : c_(c) {}

  std::optional<Value> name(const syntax::Expr& expr) override;
  std::optional<Value> known(const syntax::Expr& expr) override;
  std::optional<std::optional<Value>> inlined(const Func& func, const syntax::Call& e,
                                              const syntax::Expr& expr) override;
  std::optional<Value> attribute(const HostObject& object, std::string_view name) override;
  void has_read(const HostObject& object, std::string_view name, const Value& value,
                const syntax::Range& range) override;
  void identify(const HostObject& object) override;
  Environment& environment() override { return *c_.function().environment; }
  void error(ErrorKind kind, const syntax::Range& range, std::string message) override {
    c_.report.error(kind, range, std::move(message));
  }

  /// The compile-time value of a name, or of an attribute of one; nothing when it is not known then. Reports nothing.
  std::optional<Value> quiet(const syntax::Expr& expr);
  /// The compile-time value of an item; nothing when it is not known then.
  std::optional<Value> as_value(const Item& item) const;
  /// The meaning of a local, or of a member of one, as far as that takes no code; nothing for other expressions.
  std::optional<Item> peek(const syntax::Expr& expr);

 protected:
  /// Reports a part of the expression, `what`, that is not known at compile time.
  virtual void unknown(const syntax::Range& range, std::string what) {
    error(ErrorKind::Type, range,
          std::move(what) + " known only at run time: values here must be compile-time constants");
  }

 private:
  /// Facts of an array; nothing for other items.
  std::optional<ArrayFacts> array_facts_of(const Item& item) const;
  /// The result of v.get_shape() of a vector or matrix, or of x.element_shape() of an array.
  std::optional<Value> known_shape(const syntax::Attribute& method);

  Compilation& c_;
};

/// The scope of a test that may be known: reports nothing, and makes no code.
class QuietScope : public KernelScope {
 public:
  using KernelScope::KernelScope;

  std::optional<std::optional<Value>> inlined(const Func&, const syntax::Call&, const syntax::Expr&) override {
    return std::optional<Value>();
  }
  void error(ErrorKind, const syntax::Range&, std::string) override {}
};

}  // namespace qd::frontend
