// Which submissions resemble each other more than their task explains. It is evidence for a person to look at, and never a verdict.
//
// The method is winnowing (S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", 2003):
// hashes of runs of words, of each few of which the lowest is kept, so that a common part of a certain length is always found. All
// names of the student's own count as the same word, so renaming changes nothing; comments and layout are no words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::lab {

/// Lines from `first` to `last`, from 1.
struct LineRange {
  std::uint32_t first = 0, last = 0;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

/// A part that two submissions have in common.
struct LikePart {
  LineRange a, b;
};

struct Likeness {
  std::size_t a = 0, b = 0;     ///< places in the list of sources, a < b
  std::size_t shared = 0;       ///< fingerprints that both have
  double share = 0;             ///< of those of the one that has fewer
  std::vector<LikePart> parts;  ///< in the order of a's lines
};

inline constexpr std::size_t kLikeWords = 12;  ///< of a run
inline constexpr std::size_t kLikeWindow = 6;  ///< runs, of which one is kept
inline constexpr double kLikeShare = 0.6;      ///< from which on a pair is shown
inline constexpr std::size_t kLikeShared = 4;  ///< fewer common fingerprints are no evidence
/// Lines that more than this share of a class has written are no evidence of copying, if the class has at least kCommonAmong
/// submissions. In a smaller class, two students who copied from each other would already be such a share.
inline constexpr double kCommonShare = 0.25;
inline constexpr std::size_t kCommonAmong = 8;

/// The pairs that share that much, the most alike first. Lines of the starter are left out, and so is what a quarter of the class has.
std::vector<Likeness> likenesses(std::span<const std::string_view> sources,
                                 std::string_view starter);

}  // namespace warpbook::lab
