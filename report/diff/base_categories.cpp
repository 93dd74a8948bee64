// Base categories: names, and sums over files.
#include "report/diff/base_categories.h"

namespace qd::report {

const char* category_code(Category category) {
  switch (category) {
    case Category::UNC: return "UNC";
    case Category::LBC: return "LBC";
    case Category::UIC: return "UIC";
    case Category::UBC: return "UBC";
    case Category::GBC: return "GBC";
    case Category::GIC: return "GIC";
    case Category::GNC: return "GNC";
    case Category::CBC: return "CBC";
    case Category::EUB: return "EUB";
    case Category::ECB: return "ECB";
    case Category::DUB: return "DUB";
    case Category::DCB: return "DCB";
  }
  return "";
}

const char* category_name(Category category) {
  switch (category) {
    case Category::UNC: return "uncovered new code";
    case Category::LBC: return "lost baseline coverage";
    case Category::UIC: return "uncovered included code";
    case Category::UBC: return "uncovered baseline code";
    case Category::GBC: return "gained baseline coverage";
    case Category::GIC: return "gained included coverage";
    case Category::GNC: return "gained new coverage";
    case Category::CBC: return "covered baseline code";
    case Category::EUB: return "excluded uncovered baseline";
    case Category::ECB: return "excluded covered baseline";
    case Category::DUB: return "deleted uncovered baseline";
    case Category::DCB: return "deleted covered baseline";
  }
  return "";
}

int64_t BaseCoverage::count(Category category) const {
  int64_t n = 0;
  for (const BaseFile& file : files) n += static_cast<int64_t>(file.of(category).size());
  return n;
}

int64_t BaseCoverage::count_branches(Category category) const {
  int64_t n = 0;
  for (const BaseFile& file : files) n += static_cast<int64_t>(file.branches_of(category).size());
  return n;
}

}  // namespace qd::report
