// Finds kernels: follows the names under which a source knows the kernel language, then looks at the decorators.
#include "report/analysis/kernels/kernel_definitions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>

#include "report/analysis/source/tree_walk.h"
#include "report/data/producers.h"

namespace qd::report {

namespace {

using syntax::Expr;
using syntax::Stmt;

enum class Meaning { Nothing, Package, Kernel, CalledKernel, Func };

/// The names of producers (producers.h): packages, and their decorators.
class KnownNames {
 public:
  KnownNames() : producers_(producers()) {
    add(producers_->kernel_decorators, Meaning::Kernel);
    add(producers_->func_decorators, Meaning::Func);
  }
  Meaning package(std::string_view name) const {
    return packages_.contains(name) ? Meaning::Package : Meaning::Nothing;
  }
  Meaning decorator(std::string_view name) const {
    const auto found = decorators_.find(name);
    return found == decorators_.end() ? Meaning::Nothing : found->second;
  }
  const std::map<std::string_view, Meaning>& decorators() const { return decorators_; }

 private:
  void add(const std::vector<std::string>& decorators, Meaning meaning) {
    for (std::string_view decorator : decorators) {
      const std::string_view package = decorator.substr(0, decorator.find('.'));
      packages_.insert(package);
      const bool is_called = meaning == Meaning::Kernel && is_foreign(package);
      decorators_.emplace(decorator.substr(decorator.rfind('.') + 1), is_called ? Meaning::CalledKernel : meaning);
    }
  }
  std::shared_ptr<const Producers> producers_;  // owns the names
  std::set<std::string_view> packages_;
  std::map<std::string_view, Meaning> decorators_;
};

class KernelFinder {
 public:
  std::vector<KernelDefinition> run(const syntax::Module& module) {
    body(module.body, "", {}, false);
    std::ranges::sort(found_, {},
                      [](const KernelDefinition& d) { return std::tuple(d.first_line, d.def_line, d.def->range.col); });
    return std::move(found_);
  }

 private:
  using Scope = std::map<std::string_view, Meaning>;

  /// Visits one function, class or module: first its names, of which any binding counts (an import may stand in a
  /// `try`), then its definitions.
  void body(syntax::List<syntax::StmtPtr> statements, const std::string& prefix, std::vector<const Scope*> outer,
            bool is_class) {
    Scope names;
    scopes_ = std::move(outer);
    scopes_.push_back(&names);
    bind(statements, names);
    std::vector<std::pair<const Stmt*, std::string>> inner;
    define(statements, prefix, inner);
    std::vector<const Scope*> scopes = scopes_;
    if (is_class) scopes.pop_back();  // methods do not see the names of their class
    for (const auto& [stmt, name] : inner) {
      const bool inner_class = std::holds_alternative<syntax::ClassDef>(stmt->node);
      for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> suite) { body(suite, name + ".", scopes, inner_class); });
    }
  }

  static bool is_definition(const Stmt& stmt) {
    return std::holds_alternative<syntax::FunctionDef>(stmt.node) ||
           std::holds_alternative<syntax::ClassDef>(stmt.node);
  }

  void bind(syntax::List<syntax::StmtPtr> statements, Scope& names) {
    for (const Stmt* stmt : statements) {
      if (auto* s = std::get_if<syntax::Import>(&stmt->node)) {
        for (const syntax::Alias& alias : s->names) import(alias, names);
      } else if (auto* s = std::get_if<syntax::ImportFrom>(&stmt->node)) {
        import_from(*s, names);
      } else if (auto* s = std::get_if<syntax::Assign>(&stmt->node)) {
        for (const Expr* target : s->targets) assign(*target, *s->value, names);
      } else if (auto* s = std::get_if<syntax::AnnAssign>(&stmt->node)) {
        if (s->value) assign(*s->target, *s->value, names);
      }
      if (!is_definition(*stmt))
        for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> suite) { bind(suite, names); });
    }
  }

  static void name(Scope& names, std::string_view name, Meaning meaning) {
    if (meaning != Meaning::Nothing) names[name] = meaning;
  }

  void import(const syntax::Alias& alias, Scope& names) {
    std::string_view top = alias.name.substr(0, alias.name.find('.'));
    name(names, alias.asname.empty() ? top : alias.asname, known_.package(top));
  }

  void import_from(const syntax::ImportFrom& s, Scope& names) {
    const bool from_package =
        s.level == 0 && known_.package(s.module.substr(0, s.module.find('.'))) == Meaning::Package;
    for (const syntax::Alias& alias : s.names) {
      if (from_package && alias.name == "*") {
        for (const auto& [decorator, meaning] : known_.decorators()) name(names, decorator, meaning);
        continue;
      }
      Meaning meaning = from_package ? known_.decorator(alias.name) : known_.package(alias.name);
      name(names, alias.asname.empty() ? alias.name : alias.asname, meaning);
    }
  }

  void assign(const Expr& target, const Expr& value, Scope& names) {
    if (auto* id = std::get_if<syntax::Name>(&target.node)) name(names, id->id, meaning(value));
  }

  /// Meaning of an expression; `kernel(...)` is a decorator as `kernel` is. `depth` bounds the recursion into dotted
  /// names.
  Meaning meaning(const Expr& expr, int depth = 0) {
    if (depth > 20) return Meaning::Nothing;
    if (auto* call = std::get_if<syntax::Call>(&expr.node)) {
      Meaning called = call->args.empty() ? meaning(*call->func, depth + 1) : Meaning::Nothing;
      return called == Meaning::Package ? Meaning::Nothing : called;
    }
    if (auto* attribute = std::get_if<syntax::Attribute>(&expr.node)) {
      if (known_.package(attribute->attr) == Meaning::Package) return Meaning::Package;
      return meaning(*attribute->value, depth + 1) == Meaning::Package ? decorator_or_module(attribute->attr)
                                                                       : Meaning::Nothing;
    }
    auto* id = std::get_if<syntax::Name>(&expr.node);
    if (!id) return Meaning::Nothing;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (auto bound = (*scope)->find(id->id); bound != (*scope)->end()) return bound->second;
    }
    return known_.package(id->id);
  }

  /// `quadrants.lang.kernel`: an attribute of the package is one of its modules, unless it is a decorator.
  Meaning decorator_or_module(std::string_view name) const {
    const Meaning known = known_.decorator(name);
    return known == Meaning::Nothing ? Meaning::Package : known;
  }

  /// Records the definitions of this scope; `inner` gets its functions and classes with their names.
  void define(syntax::List<syntax::StmtPtr> statements, const std::string& prefix,
              std::vector<std::pair<const Stmt*, std::string>>& inner) {
    for (const Stmt* stmt : statements) {
      if (auto* klass = std::get_if<syntax::ClassDef>(&stmt->node)) {
        inner.emplace_back(stmt, prefix + std::string(klass->name));
      } else if (auto* function = std::get_if<syntax::FunctionDef>(&stmt->node)) {
        inner.emplace_back(stmt, prefix + std::string(function->name));
        record(*stmt, inner.back().second);
      } else {
        for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> suite) { define(suite, prefix, inner); });
      }
    }
  }

  static bool is_decorator(Meaning meaning) { return meaning != Meaning::Nothing && meaning != Meaning::Package; }

  void record(const Stmt& stmt, const std::string& name) {
    Meaning known = Meaning::Nothing;
    for (const Expr* decorator : decorators(stmt)) {
      known = meaning(*decorator);
      // A decorator may take types, as numba.njit("f8(f8)") does; qd.kernel(f) with a name is a kernel instead.
      auto* call = std::get_if<syntax::Call>(&decorator->node);
      if (call && call->args.size() == 1 && !std::holds_alternative<syntax::Name>(call->args[0]->node))
        known = meaning(*call->func);
      if (is_decorator(known)) break;
    }
    const int32_t body_line = std::get<syntax::FunctionDef>(stmt.node).body[0]->range.line;
    const bool is_called = known == Meaning::CalledKernel;
    found_.push_back({name, is_called || known == Meaning::Kernel, is_decorator(known), is_called, start_line(stmt),
                      stmt.range.line, body_line, stmt.range.end_line, &stmt});
  }

  const KnownNames known_;
  std::vector<const Scope*> scopes_;
  std::vector<KernelDefinition> found_;
};

}  // namespace

std::vector<KernelDefinition> function_definitions(const syntax::Module& module) { return KernelFinder().run(module); }

std::vector<KernelDefinition> kernel_definitions(const syntax::Module& module) {
  std::vector<KernelDefinition> found = function_definitions(module);
  std::erase_if(found, [](const KernelDefinition& definition) { return !definition.decorated; });
  return found;
}

}  // namespace qd::report
