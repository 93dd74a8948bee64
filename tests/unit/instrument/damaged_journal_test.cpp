// A damaged journal: a warning names the damage, no hit appears that was not there, no value is above what it was, and
// undamaged records keep theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "instrument/coverage_map.h"
#include "instrument/session.h"
#include "report/data/journal_data.h"
#include "report/data/producers.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

namespace fs = std::filesystem;
using report::Arc;
using testing::two_arcs;

using Hit = std::tuple<std::string, std::string, Arc>;                   // file, context, arc
using Values = std::map<std::pair<std::string, std::string>, uint64_t>;  // by file and context

struct Range {
  size_t from, to;
};

/// A record of the journal, and its place.
struct Said {
  Range where;
  uint32_t variant;
  std::string context;  // of hits; empty: another record
};

std::string file_of(uint32_t variant) { return "/project/" + std::to_string(variant) + ".py"; }

class DamagedJournalTest : public ::testing::Test {
 protected:
  DamagedJournalTest() {
    std::string pattern = (fs::temp_directory_path() / "qd-journal-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~DamagedJournalTest() override { fs::remove_all(folder_); }

  /// A journal of `n` kernels in some contexts; the first arc of each is taken, the second in every other context, and
  /// each has a value of 64 bits.
  void write(uint32_t n) {
    {
      auto add_value = [](ir::Kernel& kernel, CoverageMap& map) {
        map.results.push_back({{{"most", 64, report::MergeRule::Max}, {{0, {2, 4, 2, 9}}}}, kernel.counters++});
      };
      Session session({folder_, true, ""}, "c0", {.more = add_value});
      std::vector<std::unique_ptr<VariantObserver>> variants;
      std::vector<ir::Kernel> kernels;
      for (uint32_t i = 0; i < n; ++i) {
        ir::Kernel kernel = two_arcs();
        kernel.functions[0].file = file_of(i);
        kernel.functions[0].name = "k" + std::string(i % 50, 'x');
        variants.push_back(session.lower_probes(kernel, "cpu"));
        kernels.push_back(kernel);
      }
      for (int c = 0; c < 4; ++c) {
        session.switch_context("c" + std::to_string(c));
        for (uint32_t i = 0; i < n; ++i) {
          const VariantObserver::Counters counters = variants[i]->begin(kDefaultStream);
          ++counters.words[kernels[i].tasks[0].start_counter];
          if (c % 2 == 0) ++counters.words[kernels[i].end_counter];
          counters.words[kernels[i].counters - 1] = uint64_t{i + 1} << 32 | static_cast<uint32_t>(c + 1);
          variants[i]->launch_done(counters.id, counters.words);
        }
      }
    }
    path_ = fs::directory_iterator(folder_)->path().string();
    std::ifstream in(path_, std::ios::binary);
    whole_ = {std::istreambuf_iterator<char>(in), {}};
    report::CoverageData data = report::read_journal(path_);
    ASSERT_EQ(data.damage, "");
    hits_ = hits_of(data);
    ASSERT_EQ(hits_.size(), 6 * n);
    values_ = values_of(data);
    ASSERT_EQ(values_.size(), 4 * n);
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(values_.at({file_of(i), "c2|qd:cpu"}), uint64_t{i + 1} << 32 | 3);
    find_records();
  }

  void find_records() {
    report::JournalRecords records(whole_);
    while (auto record = records.next()) {
      const size_t from = static_cast<size_t>(record->fixed.data() - whole_.data()) - sizeof(report::journal::Record);
      const Range where{from, from + sizeof(report::journal::Record) + record->fixed.size() + record->cells.size()};
      report::ByteReader fixed{record->fixed};
      Said said{where, fixed.number<uint32_t>(), ""};
      if (record->kind == report::journal::kVariant) declared_[said.variant] = where;
      if (record->kind == report::journal::kValues && fixed.number<uint32_t>() == 0) {
        fixed.number<uint32_t>();  // number of its hits
        said.context = report::kernel_context(fixed.text(), "cpu");
      }
      if (record->kind != report::journal::kVariant) said_.push_back(said);
    }
    ASSERT_EQ(std::ranges::count_if(said_, [](const Said& said) { return !said.context.empty(); }) * 6,
              hits_.size() * 4);
  }

  static std::set<Hit> hits_of(const report::CoverageData& data) {
    std::set<Hit> hits;
    for (const auto& [path, file] : data.files)
      for (const auto& [context, arcs] : file.arcs)
        for (const Arc& arc : arcs) hits.insert({path, data.contexts[context], arc});
    return hits;
  }

  static Values values_of(const report::CoverageData& data) {
    Values values;
    for (const auto& [path, file] : data.files)
      for (const auto& [kind, places] : file.results)
        for (const auto& [range, measured] : places)
          for (const auto& [context, value] : measured.values) values[{path, data.contexts[context]}] = value;
    return values;
  }

  /// Reads `content`, which differs from the journal in `where` at most.
  void check(const std::string& content, Range where) {
    std::ofstream(path_, std::ios::binary) << content;
    std::set<Hit> found;
    Values values;
    bool told = false;
    try {
      report::CoverageData data = report::read_journal(path_);
      found = hits_of(data);
      values = values_of(data);
      told = !data.damage.empty();
    } catch (const report::DataError&) {
      told = true;
    }
    EXPECT_EQ(told, content != whole_);
    for (const Hit& hit : found) EXPECT_TRUE(hits_.contains(hit)) << "a hit that was not there: " << std::get<0>(hit);
    for (const auto& [place, value] : values) {
      const auto real = values_.find(place);
      EXPECT_TRUE(real != values_.end() && value <= real->second) << place.first << " " << value;
    }
    auto spared = [&](Range record) { return record.to <= where.from || record.from >= where.to; };
    // Without any start record nothing can be said of a file; there is one at the front of each piece.
    bool start_left = spared({0, 200});
    for (size_t at = report::journal::kPiece; at < whole_.size(); at += report::journal::kPiece)
      start_left = start_left || spared({at, at + 200});
    if (!start_left) return;
    for (const Said& said : said_) {
      if (said.context.empty() || !spared(said.where) || !spared(declared_.at(said.variant))) continue;
      EXPECT_TRUE(found.contains({file_of(said.variant), said.context, Arc{-1, 2}}))
          << file_of(said.variant) << " " << said.context;
    }
  }

  std::string folder_, path_, whole_;
  std::set<Hit> hits_;
  Values values_;
  std::map<uint32_t, Range> declared_;
  std::vector<Said> said_;
};

TEST_F(DamagedJournalTest, RandomDamage) {
  for (uint32_t n : {3, 800}) {
    fs::remove_all(folder_);
    declared_.clear();
    said_.clear();
    write(n);
    std::mt19937 random(20261122);
    auto below = [&](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
    const size_t used = whole_.find_last_not_of('\0') + 1;
    for (int round = 0; round < (n > 100 ? 200 : 400) && !HasFailure(); ++round) {
      SCOPED_TRACE(round);
      std::string content = whole_;
      const size_t at = below(used), size = std::min(1 + below(round % 4 == 0 ? 8192 : 64), whole_.size() - at);
      switch (round % 8) {
        case 0: check(content.substr(0, at), {at, whole_.size()}); break;
        case 1:
          content[at] = static_cast<char>(content[at] ^ 1 << below(8));
          check(content, {at, at + 1});
          break;
        case 2:
          content[at] = static_cast<char>(below(256));
          check(content, {at, at + 1});
          break;
        case 3:
          for (size_t i = 0; i < size; ++i) content[at + i] = static_cast<char>(below(256));
          check(content, {at, at + size});
          break;
        case 4:
          std::memset(content.data() + at, 0, size);
          check(content, {at, at + size});
          break;
        case 5: {
          const size_t page = at / 4096 * 4096;
          std::memset(content.data() + page, 0, 4096);
          check(content, {page, page + 4096});
          break;
        }
        case 6:
          for (size_t i = 0; i < size; ++i) content += static_cast<char>(1 + below(255));
          check(content, {whole_.size(), whole_.size()});
          break;
        case 7: {  // a part of the file in another place, as a disk may have it
          const size_t from = below(used - std::min(used, size));
          content.replace(at, size, whole_.substr(from, size));
          check(content, {at, at + size});
          break;
        }
      }
    }
  }
}

TEST_F(DamagedJournalTest, EveryLengthOfASmallOne) {
  write(3);
  const size_t used = whole_.find_last_not_of('\0') + 1;
  for (size_t length = 0; length <= used && !HasFailure(); ++length)
    check(whole_.substr(0, length), {length, whole_.size()});
}

TEST_F(DamagedJournalTest, CutBetweenPieces) {
  write(800);
  ASSERT_GT(whole_.size(), 2 * report::journal::kPiece);
  for (size_t length = report::journal::kPiece; length < whole_.size(); length += report::journal::kPiece)
    check(whole_.substr(0, length), {length, whole_.size()});
}

TEST_F(DamagedJournalTest, EveryThirdBitOfASmallOne) {
  write(1);
  const size_t used = whole_.find_last_not_of('\0') + 1;
  for (size_t bit = 0; bit < 8 * used && !HasFailure(); bit += 3) {
    std::string content = whole_;
    content[bit / 8] = static_cast<char>(content[bit / 8] ^ 1 << bit % 8);
    check(content, {bit / 8, bit / 8 + 1});
  }
}

TEST_F(DamagedJournalTest, TwoJournalsInOneFile) {
  // Records of another journal have numbers that mean something else here.
  write(2);
  std::string other = whole_;
  fs::remove_all(folder_);
  declared_.clear();
  said_.clear();
  write(1);
  check(whole_ + other, {whole_.size(), whole_.size()});
}

TEST_F(DamagedJournalTest, NothingThatIsWorthReading) {
  write(1);
  for (const std::string& content : {std::string(), std::string("not a journal"), std::string(70'000, '\0'),
                                     whole_.substr(0, 8) + std::string(1000, '\0')}) {
    std::ofstream(path_, std::ios::binary) << content;
    EXPECT_THROW(report::read_journal(path_), report::DataError);
  }
}

TEST_F(DamagedJournalTest, OneWithAnotherLayoutIsNotRead) {
  write(1);
  std::string other = whole_;
  other[7] = '3';
  report::journal::Record start;
  const size_t at = sizeof(report::journal::Head);
  std::memcpy(&start, other.data() + at, sizeof start);
  start.check = report::journal::check_of(start, other.data() + at + sizeof start, report::journal::kVersion - 1);
  std::memcpy(other.data() + at, &start, sizeof start);
  std::ofstream(path_, std::ios::binary) << other;
  EXPECT_THROW(report::read_journal(path_), report::DataError) << "its contexts would have their device twice";
}

TEST_F(DamagedJournalTest, SaysHowMuch) {
  write(3);
  std::string content = whole_;
  content[declared_.at(1).from + 20] ^= 1;
  std::ofstream(path_, std::ios::binary) << content;
  size_t lost = declared_.at(1).to - declared_.at(1).from;
  for (const Said& said : said_)
    if (said.variant == 1) lost += said.where.to - said.where.from;
  EXPECT_EQ(report::read_journal(path_).damage,
            "Kernel coverage journal '" + path_ + "' is damaged: " + std::to_string(lost) +
                " of 65536 bytes cannot be used, and their data of kernels is missing");
}

}  // namespace
}  // namespace qd::instrument
