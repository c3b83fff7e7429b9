-- clear_handed_in: what was handed in is posted, or set aside.
DELETE FROM handed_in WHERE chain = $1
