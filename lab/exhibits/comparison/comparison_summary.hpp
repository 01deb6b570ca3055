// What the renderers of a comparison share: signed per cent, words, and its parts as tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/comparison/comparison.hpp"
#include "lab/exhibits/source/line_heat.hpp"

namespace warpbook::lab {

/// B against A in per cent of A: -50 where B is half of A. None where a run does not have it, where A is 0 and B is not, and
/// where either is no finite number.
std::optional<double> change_of(const std::optional<double>& a, const std::optional<double>& b);
/// "−66.7 %", "+25 %", "the same", "A is 0", or who has it not.
std::string change_text(const std::optional<double>& a, const std::optional<double>& b,
                        const Strings& strings);

bool differs(const ComparisonExhibit::Figure& figure);
bool differs(const ComparisonExhibit::Check& check);
/// Whether both have the time, and their bands do not overlap: only then does it say which is shorter.
bool is_apart(const ComparisonExhibit::Time& time);
/// "−20 %", or that the bands overlap.
std::string change_text(const ComparisonExhibit::Time& time, const Strings& strings);
/// Whether anything at all is not the same.
bool differs(const ComparisonExhibit& comparison);

/// "sectors", "DRAM: bytes moved".
std::string name_of(const ComparisonExhibit::Figure& figure, const Strings& strings);
/// "32,768"; estimated bytes as "1.5 MiB"; a dash where there is none.
std::string value_text(const ComparisonExhibit::Figure& figure, const std::optional<double>& value,
                       const Strings& strings);
/// How far both arrays are apart, in a sentence or two.
std::string sentence_of(const ComparisonExhibit::Output& output, const Strings& strings);
/// "1 line gone, 2 new."
std::string changes_text(const ComparisonExhibit::Source& source, const Strings& strings);
/// "A", or "A: An array of structures".
std::string side_name(const ComparisonExhibit::Side& side, std::string_view letter,
                      const Strings& strings);

/// A part of a comparison. The first cell of a row is words, and so is the second where there are two.
struct ComparisonTable {
  enum class Tone : std::uint8_t { plain, bad };
  struct Row {
    std::vector<std::string> cells;
    Tone tone = Tone::plain;
  };
  std::string title;
  std::optional<device::EvidenceKind> evidence;  ///< of all its figures
  std::vector<std::string> head;                 ///< as long as a row; may be empty
  std::vector<Row> rows;
  std::string note;  ///< what is left out; may be empty
  bool said =
      false;  ///< what exhibits say in words: or what their names say: needless where both stand beside each other
};
/// Settings, figures, times, arrays, checks, words, exhibits that one run alone has, errors: what differs, and all arrays and
/// times. Without the sources.
std::vector<ComparisonTable> tables_of(const ComparisonExhibit& comparison, const Strings& strings);

/// Changed words that are code, by their lines; without costs.
ComparisonExhibit::Source lines_of(const ComparisonExhibit::Words& words, const Strings& strings);

/// The costs of a source's lines as those of one text, A's above B's, so that one scale holds for both: line i + 1 is
/// `lines[i]` in A, and behind all of these, in B.
SourceExhibit joint_costs(const ComparisonExhibit::Source& source);
/// The counter in which the lines of the two runs are furthest apart; the instructions where all are the same.
Heat telling_heat(const ComparisonExhibit::Source& source);
/// In which line of joint_costs() they stand; 0: the line is not in that run.
std::uint32_t cost_line(const ComparisonExhibit::Source& source, std::size_t line, bool of_b);

}  // namespace warpbook::lab
