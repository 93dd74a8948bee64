// Near names by Damerau's distance, as far as it is short for the length of the word.
#include "report/config/near_name.h"

#include <algorithm>

namespace qd::report {

size_t typing_mistakes(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> of(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        of[i][j] = i + j;
        continue;
      }
      of[i][j] = std::min({of[i - 1][j] + 1, of[i][j - 1] + 1, of[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        of[i][j] = std::min(of[i][j], of[i - 2][j - 2] + 1);
    }
  return of[a.size()][b.size()];
}

std::string near_name(const std::string& word, const std::vector<std::string>& names) {
  constexpr size_t kLongestWord = 64;  // a longer word is no typing mistake
  if (word.size() < 2 || word.size() > kLongestWord) return "";
  const std::string* best = nullptr;
  size_t least = word.size() / 4 + 2;  // edit limit: a quarter of the letters, and a swap in a short word
  for (const std::string& name : names) {
    const size_t mistakes = name.starts_with(word) ? 0 : typing_mistakes(word, name);
    if (mistakes >= least || mistakes >= name.size()) continue;
    least = mistakes;
    best = &name;
  }
  return best ? *best : "";
}

}  // namespace qd::report
