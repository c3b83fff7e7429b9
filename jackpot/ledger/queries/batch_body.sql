-- batch_body: the stored bytes of one batch.
SELECT body FROM batch WHERE chain = $1 AND batch = $2
