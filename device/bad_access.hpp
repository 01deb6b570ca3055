#pragma once

#include "device/error.hpp"

namespace warpbook::device {

/// Whether it is an access that the simulator suppresses: the kernel goes on, and on a GPU it would end there.
constexpr bool is_bad_access(ErrorCode code) {
  switch (code) {
    case ErrorCode::out_of_bounds_read:
    case ErrorCode::out_of_bounds_write:
    case ErrorCode::out_of_bounds_atomic:
    case ErrorCode::wild_access:
    case ErrorCode::null_access:
    case ErrorCode::use_after_free:
    case ErrorCode::misaligned_access:
    case ErrorCode::shared_out_of_bounds:
    case ErrorCode::local_out_of_bounds:
    case ErrorCode::read_only_write:
    case ErrorCode::array_access:
    case ErrorCode::no_such_object:
    case ErrorCode::destroyed_object:
    case ErrorCode::texture_use:
    case ErrorCode::surface_out_of_bounds:
    case ErrorCode::no_such_rank:
    case ErrorCode::block_has_ended: return true;
    default: return false;
  }
}

}  // namespace warpbook::device
