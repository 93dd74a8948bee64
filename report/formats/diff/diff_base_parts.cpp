// Numbers of the base comparison as words.
#include "report/formats/diff/diff_base_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/text.h"

namespace qd::report {

std::string base_totals(const BaseCoverage& base) {
  return fmt::format("coverage {}% → {}%", percent(base.covered(base.before), base.total(base.before)),
                     percent(base.covered(base.now), base.total(base.now)));
}

std::string lost_and_gained(const BaseCoverage& base) {
  if (base.lost() == 0 && base.gained() == 0) return "no unchanged line lost or gained coverage";
  if (base.lost() == 0) return fmt::format("{} gained coverage, none lost it", plural(base.gained(), "unchanged line"));
  return fmt::format("{} lost coverage, {} gained it", plural(base.lost(), "unchanged line"),
                     base.gained() == 0 ? "none" : std::to_string(base.gained()));
}

std::vector<const BaseFile*> lost_and_gained_files(const BaseCoverage& base) {
  std::vector<const BaseFile*> files;
  for (bool lost : {true, false})
    for (const BaseFile& file : base.files) {
      bool has_lost = !file.of(Category::LBC).empty();
      if (has_lost == lost && (has_lost || !file.of(Category::GBC).empty())) files.push_back(&file);
    }
  return files;
}

std::vector<Category> used_categories(const BaseCoverage& base) {
  std::vector<Category> result;
  for (size_t i = 0; i < kCategories; ++i) {
    auto category = static_cast<Category>(i);
    if (base.count(category) > 0 || base.count_branches(category) > 0) result.push_back(category);
  }
  return result;
}

bool is_good_category(Category category) {
  return category == Category::GBC || category == Category::GIC || category == Category::GNC ||
         category == Category::CBC;
}

bool is_bad_category(Category category) {
  return category == Category::UNC || category == Category::LBC || category == Category::UIC ||
         category == Category::UBC;
}

}  // namespace qd::report
