// The sentences of the kinds that need a file of their own; sentence() in exhibits.hpp speaks for all.
#pragma once

#include <string>

#include "lab/model/exhibits.hpp"

namespace warpbook::lab {

std::string sentence_of(const AccessesExhibit& accesses, const Strings& strings);
std::string sentence_of(const ImageExhibit& image, const Strings& strings);
std::string sentence_of(const SpacesExhibit& spaces, const Strings& strings);
std::string sentence_of(const SectorsExhibit& sectors, const Strings& strings);
std::string sentence_of(const TimingsExhibit& timings, const Strings& strings);
std::string sentence_of(const StackExhibit& stack, const Strings& strings);
std::string sentence_of(const SlidingWindowExhibit& window, const Strings& strings);
std::string sentence_of(const CurveExhibit& curve, const Strings& strings);
std::string sentence_of(const RooflineExhibit& roofline, const Strings& strings);
std::string sentence_of(const AlgorithmsExhibit& algorithms, const Strings& strings);
std::string sentence_of(const ComparisonExhibit& comparison, const Strings& strings);

/// Rows of one evidence, which alone may be held against each other; in the order in which they first appear.
using TimingGroup = std::vector<const TimingsExhibit::Row*>;
std::vector<TimingGroup> groups_of(const TimingsExhibit& timings);

}  // namespace warpbook::lab
