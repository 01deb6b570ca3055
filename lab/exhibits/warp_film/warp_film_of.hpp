// The film of a watched warp from its launch's record.
#pragma once

#include <string_view>

#include "device/device.hpp"
#include "lab/exhibits/warp_film/warp_film.hpp"

namespace warpbook::lab {

/// The film of the launch's watched warp. `source` is the text of the kernel's own file `file`; `ptx`: a row for each instruction
/// of the PTX instead of one for each line of the source. What comes from other files counts for the line that called it.
WarpFilmExhibit warp_film_of(const device::LaunchRecord& record, const device::WatchedWarp& watched,
                             std::string_view file, std::string_view source, bool ptx);

}  // namespace warpbook::lab
