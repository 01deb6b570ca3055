#include "lab/grading/likeness.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "lab/exercise/source_tokens.hpp"

namespace warpbook::lab {
namespace {

using Hash = std::uint64_t;

/// A run of words: its hash, and the lines that it goes over.
struct Fingerprint {
  Hash hash = 0;
  LineRange lines;
};

/// Names that a student cannot choose, because C++ or CUDA gives them. Any other is some name of their own.
bool is_given(std::string_view name) {
  static const std::set<std::string_view> given{"__global__",
                                                "__device__",
                                                "__shared__",
                                                "__restrict__",
                                                "__constant__",
                                                "__syncthreads",
                                                "__syncwarp",
                                                "__shfl_down_sync",
                                                "__shfl_xor_sync",
                                                "__ldg",
                                                "atomicAdd",
                                                "threadIdx",
                                                "blockIdx",
                                                "blockDim",
                                                "gridDim",
                                                "x",
                                                "y",
                                                "z",
                                                "if",
                                                "else",
                                                "for",
                                                "while",
                                                "do",
                                                "return",
                                                "break",
                                                "continue",
                                                "const",
                                                "void",
                                                "int",
                                                "unsigned",
                                                "float",
                                                "double",
                                                "bool",
                                                "char",
                                                "long",
                                                "short",
                                                "auto",
                                                "struct",
                                                "template",
                                                "typename",
                                                "constexpr",
                                                "static",
                                                "inline",
                                                "size_t",
                                                "float2",
                                                "float4",
                                                "int2",
                                                "int4",
                                                "min",
                                                "max",
                                                "fmaxf",
                                                "fminf",
                                                "sizeof",
                                                "extern",
                                                "switch",
                                                "case"};
  return given.contains(name);
}

std::string without_blanks(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) text += c;
  }
  return text;
}

template <class Visit>
void each_line(std::string_view text, const Visit& visit) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    visit(text.substr(from, to - from));
    from = to + 1;
  }
}

/// The source with the starter's lines empty, so that all others keep their numbers.
std::string without_starter(std::string_view source, const std::set<std::string>& starter) {
  std::string own;
  each_line(source, [&](std::string_view line) {
    if (!starter.contains(without_blanks(line))) own += line;
    own += '\n';
  });
  return own;
}

/// Words of a run that are mixed into one number: FNV-1a.
class RunHash {
 public:
  void add(std::string_view word) {
    for (const char c : word) mix(static_cast<unsigned char>(c));
    mix(0);
  }
  [[nodiscard]] Hash value() const { return hash_; }

 private:
  void mix(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }
  Hash hash_ = 0xcbf29ce484222325u;
};

/// Every run of kLikeWords words.
std::vector<Fingerprint> runs_of(const std::string& source) {
  const std::vector<SourceToken> tokens = source_tokens(source);
  std::vector<std::uint32_t> lines;
  std::uint32_t line = 1;
  std::size_t at = 0;
  for (const SourceToken& token : tokens) {
    for (; at < token.at; ++at) line += source[at] == '\n';
    lines.push_back(line);
  }
  std::vector<Fingerprint> runs;
  for (std::size_t i = 0; i + kLikeWords <= tokens.size(); ++i) {
    RunHash hash;
    for (std::size_t word = i; word < i + kLikeWords; ++word) {
      const bool own = tokens[word].kind == SourceToken::Kind::name && !is_given(tokens[word].text);
      hash.add(own ? "name" : tokens[word].text);
    }
    runs.push_back({hash.value(), {lines[i], lines[i + kLikeWords - 1]}});
  }
  return runs;
}

/// Of each window the lowest hash, the last one of equals. By hash, where a source has it first.
std::map<Hash, LineRange> winnowed(const std::vector<Fingerprint>& runs) {
  std::map<Hash, LineRange> kept;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::size_t end = std::min(i + kLikeWindow, runs.size());
    std::size_t lowest = i;
    for (std::size_t at = i; at < end; ++at) {
      if (runs[at].hash <= runs[lowest].hash) lowest = at;
    }
    kept.try_emplace(runs[lowest].hash, runs[lowest].lines);
    if (end == runs.size()) break;
  }
  return kept;
}

using Prints = std::vector<std::map<Hash, LineRange>>;

void leave_out_common(Prints& prints) {
  if (prints.size() < kCommonAmong) return;
  std::unordered_map<Hash, std::size_t> owners;
  for (const auto& each : prints) {
    for (const auto& [hash, lines] : each) ++owners[hash];
  }
  const double most = kCommonShare * static_cast<double>(prints.size());
  for (auto& each : prints) {
    std::erase_if(
        each, [&](const auto& print) { return static_cast<double>(owners[print.first]) > most; });
  }
}

bool touch(const LineRange& a, const LineRange& b) {
  return a.first <= b.last + 1 && b.first <= a.last + 1;
}
void widen(LineRange& range, const LineRange& by) {
  range.first = std::min(range.first, by.first);
  range.last = std::max(range.last, by.last);
}

/// Common runs that follow each other in both sources are one part.
std::vector<LikePart> joined_parts(std::vector<LikePart> parts) {
  std::ranges::sort(parts, {},
                    [](const LikePart& part) { return std::pair(part.a.first, part.b.first); });
  std::vector<LikePart> joined;
  for (const LikePart& part : parts) {
    if (!joined.empty() && touch(joined.back().a, part.a) && touch(joined.back().b, part.b)) {
      widen(joined.back().a, part.a);
      widen(joined.back().b, part.b);
    } else {
      joined.push_back(part);
    }
  }
  return joined;
}

Likeness compared(const Prints& prints, std::size_t a, std::size_t b) {
  Likeness likeness{a, b, 0, 0, {}};
  for (const auto& [hash, lines] : prints[a]) {
    const auto found = prints[b].find(hash);
    if (found == prints[b].end()) continue;
    ++likeness.shared;
    likeness.parts.push_back({lines, found->second});
  }
  const std::size_t fewer = std::min(prints[a].size(), prints[b].size());
  if (fewer != 0)
    likeness.share = static_cast<double>(likeness.shared) / static_cast<double>(fewer);
  return likeness;
}

}  // namespace

std::vector<Likeness> likenesses(std::span<const std::string_view> sources,
                                 std::string_view starter) {
  std::set<std::string> known;
  each_line(starter, [&](std::string_view line) { known.insert(without_blanks(line)); });
  Prints prints;
  for (const std::string_view source : sources)
    prints.push_back(winnowed(runs_of(without_starter(source, known))));
  leave_out_common(prints);

  std::vector<Likeness> found;
  for (std::size_t a = 0; a < prints.size(); ++a) {
    for (std::size_t b = a + 1; b < prints.size(); ++b) {
      Likeness likeness = compared(prints, a, b);
      if (likeness.shared < kLikeShared || likeness.share < kLikeShare) continue;
      likeness.parts = joined_parts(std::move(likeness.parts));
      found.push_back(std::move(likeness));
    }
  }
  std::ranges::stable_sort(found, [](const Likeness& one, const Likeness& other) {
    return std::pair(one.share, one.shared) > std::pair(other.share, other.shared);
  });
  return found;
}

}  // namespace warpbook::lab
