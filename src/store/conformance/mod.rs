//! What every store must do, as small independent cases: each gets an empty store and panics where it is broken.
//!
//! [`for_each_store_case`] names them all, so that a test binary makes one test a case and store. To add one, write a
//! `pub async fn` in the file of its port and add its name to the list; `tests/it/store.rs` refuses a case that is not
//! listed. No case may know which store it runs on, nor wait for a fixed time.

#![expect(clippy::unwrap_used, reason = "cases are tests: a store that fails one must panic")]

mod counters;
mod leases;
mod lists;
mod records;
mod run_members;
mod sample;
mod transactions;
mod work;

pub use counters::*;
pub use leases::*;
pub use lists::*;
pub use records::*;
pub use run_members::*;
pub use transactions::*;
pub use work::*;

/// The files with cases, by which a test checks that none is forgotten.
pub const SOURCES: [&str; 7] = [
    include_str!("counters.rs"),
    include_str!("leases.rs"),
    include_str!("lists.rs"),
    include_str!("records.rs"),
    include_str!("run_members.rs"),
    include_str!("transactions.rs"),
    include_str!("work.rs"),
];

/// Calls the macro `$callback` with the names of all cases.
#[macro_export]
macro_rules! for_each_store_case {
    ($callback:ident) => {
        $callback! {
            a_counter_moves_by_one,
            concurrent_moves_of_a_counter_all_count,
            a_claim_takes_as_many_as_are_asked_for,
            a_claim_takes_the_first_due_row,
            a_claim_passes_over_what_others_hold,
            concurrent_claims_never_share_a_row,
            an_expired_lease_is_taken_over,
            a_lease_ends_by_the_databases_clock,
            renewing_extends_what_has_not_expired,
            a_released_row_is_free,
            all_leases_are_released,
            scheduling_keeps_the_lease,
            the_next_instant_leaves_out_what_others_hold,
            the_next_expiry_is_of_anothers_lease,
            a_parents_children_are_listed_by_name,
            a_subscriptions_resources_are_listed_by_group_and_name,
            pages_follow_each_other,
            paging_survives_insertions_and_deletions,
            a_parents_pages_go_by_name_alone,
            conditions_select_by_the_document,
            a_filtered_list_has_pages,
            a_kind_is_counted_by_a_string_of_its_documents,
            children_come_in_the_order_of_creation,
            a_sequence_is_never_used_again,
            a_new_record_is_found_as_it_was_inserted,
            a_record_of_another_kind_is_not_found,
            many_records_come_ordered_by_key,
            an_update_moves_the_version_by_one,
            a_stale_update_is_a_conflict,
            an_update_of_a_missing_record_is_a_conflict,
            updates_are_written_all_or_none,
            two_updates_of_one_version_are_a_conflict,
            of_concurrent_writers_exactly_one_wins,
            a_record_that_was_got_stays_locked,
            a_key_that_exists_is_refused,
            a_key_twice_in_one_insertion_is_refused,
            of_concurrent_insertions_exactly_one_wins,
            a_unique_key_is_taken_once_a_kind,
            a_unique_key_is_freed_by_deletion,
            a_deletion_names_the_version,
            what_is_below_a_key_is_removed,
            below_a_group_is_everything_in_it,
            many_records_are_inserted_and_updated_at_once,
            a_plan_comes_back_by_ordinal,
            a_plan_is_replaced_as_a_whole,
            an_update_writes_the_members_it_names,
            an_update_of_a_missing_member_is_a_conflict,
            a_removed_plan_takes_its_notes_along,
            open_members_on_a_touched_cluster_are_noted,
            touching_keeps_an_earlier_instant,
            notes_are_taken_once,
            no_note_is_lost_between_two_transactions,
            ten_thousand_members_are_written_at_once,
            a_dropped_transaction_leaves_nothing,
            a_committed_transaction_leaves_everything,
            a_transaction_sees_its_own_writes,
            a_reading_transaction_sees_one_state,
            a_reading_transaction_cannot_write,
            the_clock_is_kept,
            an_open_store_is_ready,
            the_guard_is_held_by_one_process,
            a_closed_store_is_not_ready,
            what_is_due_comes_by_key,
            scheduling_replaces_the_instant,
            waking_keeps_an_earlier_instant,
            many_are_scheduled_like_one,
            what_is_unscheduled_is_forgotten,
            the_next_instant_is_the_earliest_of_all_kinds,
            due_work_is_done_once,
        }
    };
}
