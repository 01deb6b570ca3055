// What the renderers of libraries' algorithms share: what bars are held against, and what each row and group says.
#pragma once

#include <string>
#include <vector>

#include "lab/exhibits/algorithms/algorithms.hpp"

namespace warpbook::lab {

/// What a group's bars end at: its own largest finite figure, since groups are never held against each other. 0: no bars.
double longest_time(const AlgorithmsExhibit::Group& group);
std::uint64_t largest_workspace(const AlgorithmsExhibit::Group& group);

/// Whether there is a time, or a word about one, to show in the group's rows.
bool tells_times(const AlgorithmsExhibit::Group& group);
/// Whether how far its results are off is known of any row.
bool tells_errors(const AlgorithmsExhibit::Group& group);

/// "41.2 µs", the band where it is an estimate, "not done after 250 ms", or nothing.
std::string time_text(const AlgorithmsExhibit::Row& row, const AlgorithmsExhibit::Group& group,
                      const Strings& strings);
/// "35 ms to 59 ms" beside a measured time; nothing where there is no spread, or the time is a band already.
std::string spread_text(const AlgorithmsExhibit::Row& row, const AlgorithmsExhibit::Group& group,
                        const Strings& strings);
/// "off by 2.4e-7 at most"; nothing where it is not known.
std::string off_text(const AlgorithmsExhibit::Row& row, const Strings& strings);
/// Where it comes from, notes and settings, in the library's own words.
std::string words_of(const AlgorithmsExhibit::Row& row);

/// What stands below a group's rows: what is not among them, why there are no times, what went wrong.
std::vector<std::string> remarks_of(const AlgorithmsExhibit::Group& group, const Strings& strings);

}  // namespace warpbook::lab
