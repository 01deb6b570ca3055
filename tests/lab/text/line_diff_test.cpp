// Changed lines: held against the longest common subsequence, which the plain table of dynamic programming gives.
#include "lab/text/line_diff.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab::line_diff_test {
namespace {

using Lines = std::vector<std::string_view>;

std::size_t longest_common(const Lines& a, const Lines& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

std::size_t changes_in(const LineDiff& diff) {
  return static_cast<std::size_t>(
      std::ranges::count_if(diff.lines, [](const DiffLine& line) { return !line.same(); }));
}

/// Every line of both texts once, in order, and what is called the same is the same.
void require_whole(const LineDiff& diff, const Lines& a, const Lines& b) {
  std::uint32_t in_a = 0, in_b = 0;
  bool holds = true;
  for (const DiffLine& line : diff.lines) {
    holds = holds && (line.a == 0 || line.a == ++in_a) && (line.b == 0 || line.b == ++in_b) &&
            (line.a != 0 || line.b != 0);
    if (line.same()) holds = holds && a[line.a - 1] == b[line.b - 1];
  }
  CHECK(holds);
  CHECK(in_a == a.size());
  CHECK(in_b == b.size());
}

}  // namespace

TEST_CASE("Changed lines: texts of all kinds become each other by the fewest changes") {
  const unsigned seed = GENERATE(Catch::Generators::range(0u, 200u));
  std::mt19937 random(seed);
  static constexpr const char* kWords[] = {"a", "b", "c", "d"};
  Lines a(random() % 14), b(random() % 14);
  for (Lines* lines : {&a, &b}) {
    for (std::string_view& line : *lines) line = kWords[random() % (1 + seed % 4)];
  }
  CAPTURE(seed, a, b);
  const LineDiff diff = diff_of(a, b);
  CHECK(diff.least);
  require_whole(diff, a, b);
  CHECK(changes_in(diff) == a.size() + b.size() - 2 * longest_common(a, b));
}

TEST_CASE("Changed lines: of a run of them, what is gone comes first") {
  const Lines a{"int i;", "old", "older", "}"}, b{"int i;", "new", "newer", "}"};
  const std::vector<DiffLine> expected{{1, 1}, {2, 0}, {3, 0}, {0, 2}, {0, 3}, {4, 4}};
  CHECK(diff_of(a, b).lines == expected);
}

TEST_CASE("Changed lines: empty texts") {
  CHECK(diff_of({}, {}).lines.empty());
  const Lines one{"x"};
  CHECK(diff_of(one, {}).lines == std::vector<DiffLine>{{1, 0}});
  CHECK(diff_of({}, one).lines == std::vector<DiffLine>{{0, 1}});
}

TEST_CASE("Changed lines: texts that are too far apart are told whole, and in time") {
  std::vector<std::string> words(200'000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::to_string(i);
  words[0] = words[100'000] = "begin";
  words[99'999] = words[199'999] = "end";
  const Lines a(words.begin(), words.begin() + 100'000), b(words.begin() + 100'000, words.end());
  const LineDiff diff = diff_of(a, b);
  CHECK_FALSE(diff.least);
  require_whole(diff, a, b);
  CHECK(diff.lines.front() == DiffLine{1, 1});
  CHECK(diff.lines.back() == DiffLine{100'000, 100'000});
  CHECK(changes_in(diff) == 2 * 99'998);
  CHECK(diff_of(a, a).least);
}

TEST_CASE("Changed lines: as many changes as are allowed are found, one more is not looked for") {
  const Lines a{"a", "b", "c", "d"}, b{"a", "x", "c", "d"};
  CHECK(diff_of(a, b, 2).least);
  CHECK_FALSE(diff_of(a, b, 1).least);
  CHECK(changes_in(diff_of(a, b, 1)) == 2);
}

}  // namespace warpbook::lab::line_diff_test
