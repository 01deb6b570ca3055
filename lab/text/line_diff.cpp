#include "lab/text/line_diff.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

using Lines = std::span<const std::string_view>;

/// One run of the algorithm over the lines between what both texts begin and end with.
class Search {
 public:
  Search(Lines a, Lines b) : a_(a), b_(b) {}

  /// Whether at most `most` changes lead from one text to the other.
  bool find(std::size_t most) {
    const auto limit = static_cast<std::ptrdiff_t>(std::min(most, a_.size() + b_.size()));
    std::vector<std::ptrdiff_t> reach(2 * static_cast<std::size_t>(limit) + 3, 0);
    middle_ = limit + 1;
    for (std::ptrdiff_t changes = 0; changes <= limit; ++changes) {
      if (step(reach, changes)) return true;
    }
    return false;
  }

  /// The way that find() found; `before` lines stand before these in both texts.
  void put(std::vector<DiffLine>& lines, std::size_t before) const {
    auto x = static_cast<std::ptrdiff_t>(a_.size()), y = static_cast<std::ptrdiff_t>(b_.size());
    std::vector<DiffLine> way;
    const auto at = [&](std::ptrdiff_t place) {
      return static_cast<std::uint32_t>(static_cast<std::size_t>(place) + before);
    };
    for (auto changes = static_cast<std::ptrdiff_t>(kept_.size()); changes > 0; --changes) {
      const auto& reach = kept_[static_cast<std::size_t>(changes - 1)];  // after changes - 1
      const auto of = [&](std::ptrdiff_t k) {
        return reach[static_cast<std::size_t>(k + changes - 1)];
      };
      const std::ptrdiff_t k = x - y;
      const bool down = k == -changes || (k != changes && of(k - 1) < of(k + 1));
      const std::ptrdiff_t from = down ? k + 1 : k - 1, from_x = of(from), from_y = from_x - from;
      const std::ptrdiff_t begin_x = down ? from_x : from_x + 1;
      for (; x > begin_x; --x, --y) way.push_back({at(x), at(y)});
      way.push_back(down ? DiffLine{0, at(y)} : DiffLine{at(x), 0});
      x = from_x;
      y = from_y;
    }
    for (; x > 0; --x, --y) way.push_back({at(x), at(y)});
    lines.insert(lines.end(), way.rbegin(), way.rend());
  }

 private:
  bool step(std::vector<std::ptrdiff_t>& reach, std::ptrdiff_t changes) {
    const auto rows = static_cast<std::ptrdiff_t>(a_.size()),
               columns = static_cast<std::ptrdiff_t>(b_.size());
    const auto of = [&](std::ptrdiff_t k) -> std::ptrdiff_t& {
      return reach[static_cast<std::size_t>(middle_ + k)];
    };
    bool done = false;
    for (std::ptrdiff_t k = -changes; k <= changes && !done; k += 2) {
      std::ptrdiff_t x = 0;
      if (changes != 0) {
        const bool down = k == -changes || (k != changes && of(k - 1) < of(k + 1));
        x = down ? of(k + 1) : of(k - 1) + 1;
      }
      std::ptrdiff_t y = x - k;
      while (x < rows && y < columns &&
             a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(y)]) {
        ++x;
        ++y;
      }
      of(k) = x;
      done = x >= rows && y >= columns;
    }
    if (!done) {
      kept_.emplace_back(reach.begin() + (middle_ - changes),
                         reach.begin() + (middle_ + changes + 1));
    }
    return done;
  }

  Lines a_, b_;
  std::ptrdiff_t middle_ = 0;
  std::vector<std::vector<std::ptrdiff_t>> kept_;  // by changes: how far each diagonal reaches
};

/// In each run of changed lines, what is gone first.
void sort_changes(std::vector<DiffLine>& lines) {
  for (auto at = lines.begin(); at != lines.end();) {
    if (at->same()) {
      ++at;
      continue;
    }
    const auto end =
        std::find_if(at, lines.end(), [](const DiffLine& line) { return line.same(); });
    std::stable_partition(at, end, [](const DiffLine& line) { return line.a != 0; });
    at = end;
  }
}

}  // namespace

LineDiff diff_of(Lines a, Lines b, std::size_t most) {
  LineDiff diff;
  std::size_t before = 0, behind = 0;
  while (before < a.size() && before < b.size() && a[before] == b[before]) ++before;
  while (behind < a.size() - before && behind < b.size() - before &&
         a[a.size() - 1 - behind] == b[b.size() - 1 - behind])
    ++behind;
  const auto number = [](std::size_t index) { return static_cast<std::uint32_t>(index + 1); };
  for (std::size_t i = 0; i < before; ++i) diff.lines.push_back({number(i), number(i)});
  const Lines from = a.subspan(before, a.size() - before - behind),
              to = b.subspan(before, b.size() - before - behind);
  Search search(from, to);
  diff.least = search.find(most);
  if (diff.least) {
    search.put(diff.lines, before);
  } else {
    for (std::size_t i = 0; i < from.size(); ++i) diff.lines.push_back({number(before + i), 0});
    for (std::size_t i = 0; i < to.size(); ++i) diff.lines.push_back({0, number(before + i)});
  }
  sort_changes(diff.lines);
  for (std::size_t i = behind; i > 0; --i)
    diff.lines.push_back({number(a.size() - i), number(b.size() - i)});
  return diff;
}

}  // namespace warpbook::lab
