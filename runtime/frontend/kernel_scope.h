// Compile-time evaluation inside a kernel: its names are the kernel's, as far as they are known.
#pragma once

#include "runtime/frontend/lowering.h"

namespace qd::frontend {

class KernelScope : public StaticScope {
 public:
  explicit KernelScope(Lowering& lowering) : lowering_(lowering) {}

  std::optional<Value> name(const syntax::Expr& expr) override;
  std::optional<Value> known(const syntax::Expr& expr) override;
  std::optional<Value> attribute(const HostObject& object, std::string_view name) override;
  void has_read(const HostObject& object, std::string_view name, const Value& value,
                const syntax::Range& range) override;
  void identify(const HostObject& object) override;
  Environment& environment() override { return *lowering_.frame().environment; }
  void error(ErrorKind kind, const syntax::Range& range, std::string message) override {
    lowering_.error(kind, range, std::move(message));
  }

  /// What an item is at compile time; nothing when it is not known then.
  std::optional<Value> as_value(const Item& item) const;

 private:
  std::optional<Item> peek(const syntax::Expr& expr);
  Lowering& lowering_;
};

}  // namespace qd::frontend
