// Area of a file: that of the first list of patterns that matches.
#include "report/check/areas.h"

namespace qd::report {

const char* name(Area area) {
  switch (area) {
    case Area::Source: return "source";
    case Area::Tests: return "tests";
    case Area::Docs: return "docs";
    case Area::Other: return "other";
  }
  return "";
}

Areas::Areas(const CheckSettings& settings)
    : tests_(settings.list("test-files")), docs_(settings.list("doc-files")), source_(settings.list("source-files")) {}

Area Areas::of(const std::string& path) const {
  if (tests_.match(path)) return Area::Tests;
  if (docs_.match(path)) return Area::Docs;
  return source_.match(path) ? Area::Source : Area::Other;
}

}  // namespace qd::report
