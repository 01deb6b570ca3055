// The table of the handlers that every build shares.
#include "device/simulator/isa/common_handlers.hpp"

#include "device/simulator/execute/common_handlers.hpp"

namespace warpbook::device::isa {

const CommonHandlers kCommonHandlers = {
    .guarded = plain_handlers::guarded,
    .nothing = plain_handlers::nothing,
    .fence = plain_handlers::fence,
    .special = plain_handlers::special,
    .special_predicate = plain_handlers::special_predicate,
    .predicate_logic = plain_handlers::predicate_logic,
    .parameter_to_local = plain_handlers::parameter_to_local,
    .local_to_parameter = plain_handlers::local_to_parameter,
    .local_address = plain_handlers::local_address,
    .in_window = plain_handlers::in_window,
    .active_mask = plain_handlers::active_mask,
    .synchronising_read = plain_handlers::synchronising_read,
    .stack = {.save = stack::save, .restore = stack::restore, .allocate = stack::allocate},
    .texture = {.tex = texture_handlers::tex,
                .tld4 = texture_handlers::tld4,
                .txq = texture_handlers::txq,
                .istypep = texture_handlers::istypep,
                .suld = texture_handlers::suld,
                .sust = texture_handlers::sust,
                .sured = texture_handlers::sured},
    .video = {.scalar = video::scalar,
              .multiply = video::multiply,
              .two_halves = video::two_halves,
              .four_bytes = video::four_bytes},
    .packed = {.fp8_of_singles = packed::fp8_of_singles,
               .fp8_of_halves = packed::fp8_of_halves,
               .halves_of_fp8 = packed::halves_of_fp8,
               .integers = packed::integers},
    .wide_atomic = {.global = wide_atomic_global,
                    .shared = wide_atomic_shared,
                    .generic = wide_atomic_generic},
    .async = {.copy = async_handlers::copy,
              .commit_group = async_handlers::commit_group,
              .wait_group = async_handlers::wait_group,
              .copy_arrive = async_handlers::copy_arrive,
              .mbarrier_init = async_handlers::mbarrier_init,
              .mbarrier_inval = async_handlers::mbarrier_inval,
              .mbarrier_signal = async_handlers::mbarrier_signal,
              .mbarrier_test_wait = async_handlers::mbarrier_test_wait,
              .mbarrier_pending_count = async_handlers::mbarrier_pending_count,
              .bulk_copy = async_handlers::bulk_copy,
              .bulk_commit_group = async_handlers::bulk_commit_group,
              .bulk_wait_group = async_handlers::bulk_wait_group,
              .store_async = async_handlers::store_async},
    .cluster = {.map_address = async_handlers::map_address,
                .rank_of_address = async_handlers::rank_of_address,
                .window = async_handlers::cluster_window},
    .has_special = plain_handlers::has_special};

}  // namespace warpbook::device::isa
