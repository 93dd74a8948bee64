// Environment of a `.py` file that is compiled without Python: names that its module-level statements bind, as far as
// the compiler can tell.
#include "runtime/frontend/interface/module_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/interface/annotation.h"

namespace qd::frontend {
namespace {

using syntax::exhaustive;
using syntax::Expr;
using syntax::OneOf;
using syntax::Stmt;

/// Modules that the environment knows, by the id of their HostObject.
enum ModuleId : uint64_t { kUnknown, kQd, kPythonMath, kQdTypes, kQdMath, kFirstFunction };

Value module_value(ModuleId id, std::string_view name) { return module_object(id, name); }

class ModuleEnvironment : public Environment, public std::enable_shared_from_this<ModuleEnvironment> {
 public:
  ModuleEnvironment(std::shared_ptr<const syntax::Module> module, std::string file, const ImportedFunc& library)
      : module_(std::move(module)), file_(std::move(file)), library_(library) {
    run(module_->body);
  }

  std::optional<Value> lookup(std::string_view name) override {
    if (auto func = funcs_.find(name); func != funcs_.end()) return Value(Func{func->second, shared_from_this()});
    if (auto value = values_.find(name); value != values_.end()) return value->second;
    return python_builtin(name);
  }

  std::optional<Value> attribute(const HostObject& object, std::string_view name) override {
    switch (object.id) {
      case kQd:
        if (name == "types") return module_value(kQdTypes, "qd.types");
        if (name == "math") return module_value(kQdMath, "qd.math");
        return language_value(name);
      case kQdTypes: return language_value("types." + std::string(name));
      case kQdMath: return language_value("math." + std::string(name));
      case kPythonMath: return python_math(name);
      default: return std::nullopt;
    }
  }

  std::optional<Value> subscript(const HostObject&, const Value&) override { return std::nullopt; }

  HostResult as_func(const HostObject& function, FuncForm form) override {
    if (form != FuncForm::Plain || function.id < kFirstFunction) return {};
    return {Value(Func{plain_[function.id - kFirstFunction], shared_from_this()}), {}};
  }

 private:
  /// Scope of module-level expressions; an expression that is wrong or needs Python is no error until a kernel uses it.
  struct Scope : StaticScope {
    explicit Scope(ModuleEnvironment& self) : self(self) {}
    std::optional<Value> name(const Expr& expr) override {
      std::string_view id = std::get<syntax::Name>(expr.node).id;
      auto value = self.values_.find(id);
      return value != self.values_.end() ? std::optional(value->second) : python_builtin(id);
    }
    Environment& environment() override { return self; }
    void error(ErrorKind, const syntax::Range&, std::string) override {}
    ModuleEnvironment& self;
  };

  void run(syntax::List<syntax::StmtPtr> body) {
    for (const Stmt* stmt : body) {
      std::visit(
          exhaustive{
              [&](const syntax::Assign& s) {
                for (const Expr* target : s.targets) bind(*target, value_of(*s.value), stmt->range.line);
              },
              [&](const syntax::AnnAssign& s) {
                if (s.value) bind(*s.target, value_of(*s.value), stmt->range.line);
              },
              [&](const syntax::FunctionDef& s) { define(*stmt, s); },
              [&](const syntax::Import& s) {
                for (const auto& alias : s.names) import(alias);
              },
              [&](const syntax::ImportFrom& s) {
                for (const auto& alias : s.names) import_from(s, alias);
              },
              // Only Python knows which way a module goes; both bind names.
              [&](const syntax::If& s) { run(s.orelse), run(s.body); },
              [&](const syntax::Try& s) { run(s.body); },
              // Names that only Python can bind.
              [](const OneOf<syntax::ClassDef, syntax::For, syntax::While, syntax::With, syntax::Match,
                             syntax::AugAssign, syntax::TypeAlias, syntax::Delete> auto&) {},
              [](const OneOf<syntax::Assert, syntax::Global, syntax::Nonlocal, syntax::ExprStmt, syntax::Pass> auto&) {
              },
              [](const syntax::Jump auto&) {},
          },
          stmt->node);
    }
  }

  std::optional<Value> value_of(const Expr& expr) {
    Scope scope(*this);
    Options options;
    return evaluate(expr, scope, options);
  }

  void bind(const Expr& target, std::optional<Value> value, int32_t line) {
    if (auto* name = std::get_if<syntax::Name>(&target.node)) {
      set(name->id,
          value ? *value
                : HostObject{kUnknown, fmt::format("`{}` (line {}), which only Python can compute,", name->id, line)});
      return;
    }
    auto* targets = std::get_if<syntax::Tuple>(&target.node);
    if (!targets) return;
    auto* parts = value ? std::get_if<Tuple>(&*value) : nullptr;
    for (size_t i = 0; i < targets->elts.size(); ++i) {
      bind(*targets->elts[i], parts && i < parts->items.size() ? std::optional(parts->items[i]) : std::nullopt, line);
    }
  }

  void set(std::string_view name, Value value) {
    funcs_.erase(std::string(name));
    values_.insert_or_assign(std::string(name), std::move(value));
  }

  // Only a qd.func is a value of its own here; kernels are named so that messages can name them. A function without a
  // decorator becomes a func where a kernel calls it.
  void define(const Stmt& stmt, const syntax::FunctionDef& def) {
    const BuiltinInfo* info = nullptr;
    bool top_level = false;
    for (const Expr* decorator : def.decorator_list) {
      auto* call = std::get_if<syntax::Call>(&decorator->node);
      auto value = quiet_value(call ? *call->func : *decorator, *this);
      auto* builtin = value ? std::get_if<Builtin>(&*value) : nullptr;
      if (builtin && !info) info = find_builtin(builtin->name);
      for (const syntax::Keyword& keyword : call ? call->keywords : syntax::List<syntax::Keyword>()) {
        auto given = keyword.arg == "requires_top_level" ? value_of(*keyword.value) : std::nullopt;
        top_level |= given && truth(*given);
      }
    }
    bool real = info && info->kind == BuiltinKind::RealFuncDecorator;
    bool func = real || (info && info->kind == BuiltinKind::FuncDecorator);
    bool kernel = info && info->kind == BuiltinKind::KernelDecorator;
    HostObject named{kUnknown, fmt::format("{} `{}`", kernel ? "kernel" : "function", def.name),
                     kernel ? HostObject::Kind::Kernel : HostObject::Kind::Function};
    if (def.decorator_list.empty()) {
      named.id = kFirstFunction + plain_.size();
      FunctionSource source{module_, &stmt, file_};
      source.plain = true;
      plain_.push_back(std::make_shared<const FunctionSource>(std::move(source)));
    }
    set(def.name, std::move(named));
    if (!func) return;
    values_.erase(std::string(def.name));
    funcs_[std::string(def.name)] = std::make_shared<const FunctionSource>(
        FunctionSource{module_, &stmt, file_, 0, real, top_level, library_ != nullptr});
  }

  static Value imported(std::string_view module) {
    if (module == "qd" || module == "qdcov") return module_value(kQd, module);
    if (module == "qd.types" || module == "qdcov.types") return module_value(kQdTypes, module);
    if (module == "qd.math" || module == "qdcov.math") return module_value(kQdMath, module);
    if (module == "math") return module_value(kPythonMath, module);
    return module_value(kUnknown, module);
  }

  void import(const syntax::Alias& alias) {
    if (!alias.asname.empty()) {
      set(alias.asname, imported(alias.name));
    } else {
      std::string_view top = alias.name.substr(0, alias.name.find('.'));
      set(top, imported(top));
    }
  }

  // Modules of the package have names of the language, and other funcs that are written in it.
  void import_own(std::string_view module, const syntax::Alias& alias) {
    if (auto func = library_(module, alias.name)) return set(alias.name, *std::move(func));
    for (const char* prefix : {"", "types.", "math."}) {
      if (auto value = language_value(prefix + std::string(alias.name))) return set(alias.name, *std::move(value));
    }
  }

  void import_from(const syntax::ImportFrom& s, const syntax::Alias& alias) {
    if (library_) return import_own(s.module, alias);
    Value module = s.level == 0 ? imported(s.module) : module_value(kUnknown, s.module);
    std::string_view name = alias.asname.empty() ? alias.name : alias.asname;
    auto value = attribute(std::get<HostObject>(module), alias.name);
    set(name, value ? *value : HostObject{kUnknown, fmt::format("`{}` of module '{}'", alias.name, s.module)});
  }

  std::shared_ptr<const syntax::Module> module_;
  std::string file_;
  ImportedFunc library_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, std::shared_ptr<const FunctionSource>, std::less<>> funcs_;
  std::vector<std::shared_ptr<const FunctionSource>> plain_;  // by the id of their objects, from kFirstFunction
};

}  // namespace

std::shared_ptr<Environment> module_environment(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                                const ImportedFunc& library) {
  return std::make_shared<ModuleEnvironment>(std::move(module), file, library);
}

}  // namespace qd::frontend
